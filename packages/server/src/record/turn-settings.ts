import type {
  ApprovalsReviewer,
  AskForApproval,
  CollaborationMode,
  MultiAgentMode,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
  SandboxPolicy,
} from "@quire/protocol";

/** The settings of a thread's next turns. Stored with the thread; plain data. */
export interface TurnSettings {
  readonly cwd: string;
  readonly model: string;
  readonly modelProvider: string;
  readonly effort: ReasoningEffort | null;
  readonly summary: ReasoningSummary | null;
  readonly approvalPolicy: AskForApproval;
  readonly approvalsReviewer: ApprovalsReviewer;
  readonly sandboxPolicy: SandboxPolicy;
  /** The permission profile behind the sandbox policy. */
  readonly permissionProfile?: string | null | undefined;
  readonly personality: Personality | null;
  readonly serviceTier: string | null;
  readonly collaborationMode: CollaborationMode | null;
  readonly multiAgentMode: MultiAgentMode;
  readonly runtimeWorkspaceRoots: readonly string[];
  /** The environment of commands: this machine, or an added one; `null` for none. */
  readonly environment?: string | null | undefined;
}
