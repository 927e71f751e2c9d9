import type { LanguageModelV3 } from "@ai-sdk/provider";
/** x */
export type X = LanguageModelV3;
