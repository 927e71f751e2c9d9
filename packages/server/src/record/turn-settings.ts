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

/** What holds for the turns of a thread from now on. Stored with the thread; plain data. */
export interface TurnSettings {
  readonly cwd: string;
  readonly model: string;
  readonly modelProvider: string;
  readonly effort: ReasoningEffort | null;
  readonly summary: ReasoningSummary | null;
  readonly approvalPolicy: AskForApproval;
  readonly approvalsReviewer: ApprovalsReviewer;
  readonly sandboxPolicy: SandboxPolicy;
  /** The permission profile that the sandbox policy was taken from. */
  readonly permissionProfile?: string | null | undefined;
  readonly personality: Personality | null;
  readonly serviceTier: string | null;
  readonly collaborationMode: CollaborationMode | null;
  readonly multiAgentMode: MultiAgentMode;
  readonly runtimeWorkspaceRoots: readonly string[];
  /** Where commands run: this machine unless an added environment is named; `null` for nowhere. */
  readonly environment?: string | null | undefined;
}
