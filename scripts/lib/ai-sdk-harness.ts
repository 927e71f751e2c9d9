import { NpmCache } from "./npm-cache.ts";

const cache = new NpmCache("ai-sdk-harness", { "@ai-sdk/harness": "1.0.122", ai: "7.0.112", zod: "4.1.13" });

/** True if the AI SDK's `HarnessAgent` is there, in the right version. */
export const hasAiSdkHarness = async (): Promise<boolean> => cache.isInstalled();

/** Installs it beside this repository: its version 7 of the AI SDK is not the one that the tests of the provider need. */
export const installAiSdkHarness = (): Promise<void> => cache.install();
