import type { TurnSettings } from "../../src/record/turn-settings.ts";

/** Settings of a turn in a folder, with full access and a model that nobody asks. */
export function settingsIn(cwd: string, more: Partial<TurnSettings> = {}): TurnSettings {
  return {
    cwd,
    model: "mock-model",
    modelProvider: "mock",
    effort: null,
    summary: null,
    approvalPolicy: "never",
    approvalsReviewer: "user",
    sandboxPolicy: { type: "dangerFullAccess" },
    personality: null,
    serviceTier: null,
    collaborationMode: null,
    multiAgentMode: "explicitRequestOnly",
    runtimeWorkspaceRoots: [cwd],
    ...more,
  };
}
