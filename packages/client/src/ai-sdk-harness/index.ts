export { createCodexHarness } from "./create-codex-harness.ts";
export type { CodexHarnessOptions } from "./harness-options.ts";
export type { CodexHarness } from "./harness-types.ts";
