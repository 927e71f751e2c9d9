import type { ApprovalsReviewer, AskForApproval, CollaborationMode, SandboxPolicy } from "@quire/protocol";
import type { ThreadSettingsState } from "./snapshot.ts";

/** Settings in a server's response or notification. */
export interface SettingsReport {
  readonly model?: string | null;
  readonly modelProvider?: string | null;
  readonly effort?: string | null;
  readonly reasoningEffort?: string | null;
  readonly sandbox?: SandboxPolicy | null;
  readonly sandboxPolicy?: SandboxPolicy | null;
  readonly approvalPolicy?: AskForApproval | null;
  readonly approvalsReviewer?: ApprovalsReviewer | null;
  readonly collaborationMode?: Pick<CollaborationMode, "mode"> | null;
  readonly cwd?: string;
}

/** Settings of a thread of which only the folder is known. */
export function unknownSettings(cwd: string): ThreadSettingsState {
  return {
    ...{ model: null, modelProvider: null, effort: null, sandbox: null },
    ...{ approvalPolicy: null, approvalsReviewer: null, mode: null, cwd },
  };
}

/** Merges a report into the settings; members that it leaves out stay. */
export function reportedSettings(before: ThreadSettingsState, report: SettingsReport): ThreadSettingsState {
  return {
    model: report.model ?? before.model,
    modelProvider: report.modelProvider ?? before.modelProvider,
    effort: report.effort ?? report.reasoningEffort ?? before.effort,
    sandbox: report.sandbox ?? report.sandboxPolicy ?? before.sandbox,
    approvalPolicy: report.approvalPolicy ?? before.approvalPolicy,
    approvalsReviewer: report.approvalsReviewer ?? before.approvalsReviewer,
    mode: report.collaborationMode?.mode ?? before.mode,
    cwd: report.cwd ?? before.cwd,
  };
}
