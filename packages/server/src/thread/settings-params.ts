import type { ThreadResumeParams } from "@quire/protocol";

/** What `thread/start`, `resume` and `fork` have in common. */
export type SettingsParams = Partial<
  Pick<
    ThreadResumeParams,
    | "approvalPolicy"
    | "approvalsReviewer"
    | "config"
    | "cwd"
    | "model"
    | "modelProvider"
    | "permissions"
    | "personality"
    | "sandbox"
    | "serviceTier"
    | "runtimeWorkspaceRoots"
  >
> & { readonly environment?: string | null | undefined };
