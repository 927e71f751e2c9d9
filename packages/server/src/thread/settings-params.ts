import type { ThreadResumeParams } from "@quire/protocol";

/** The common params of `thread/start`, `resume` and `fork`. */
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
