export { CodexCallError } from "./call-error.ts";
export { type CodexProvider, createCodex } from "./provider.ts";
export type {
  CodexCallOptions,
  CodexConnection,
  CodexMetadata,
  CodexModelSettings,
  CreateCodexOptions,
} from "./settings.ts";
