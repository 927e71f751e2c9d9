import type { CodexHarnessOptions } from "./harness-options.ts";
import { CodexHarnessSession } from "./harness-session.ts";
import type { CodexHarness } from "./harness-types.ts";

/**
 * Makes a harness for `HarnessAgent` of `@ai-sdk/harness`. It starts the server in the sandbox of each session.
 *
 * ```ts
 * const agent = new HarnessAgent({ harness: createCodexHarness(), sandbox });
 * ```
 */
export function createCodexHarness(options: CodexHarnessOptions = {}): CodexHarness {
  const harnessId = options.server ?? "codex";
  return {
    specificationVersion: "harness-v1",
    harnessId,
    builtinTools: {},
    supportsBuiltinToolApprovals: true,
    doStart: (start) => CodexHarnessSession.open(harnessId, options, start),
  };
}
