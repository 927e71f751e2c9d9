/** The harness's types, which are written down in the client, against those that the AI SDK publishes. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { slow } from "../support/quire.ts";
import { modules, skip } from "./harness-stage.ts";

const root = join(import.meta.dirname, "..", "..", "..", "..");

const program = `
import type { HarnessV1 } from "@ai-sdk/harness";
import { HarnessAgent } from "@ai-sdk/harness/agent";
import { createCodexHarness } from "@quire/client/ai-sdk-harness";

export const harness: HarnessV1 = createCodexHarness({ server: "quire" });
export const agent = new HarnessAgent({ harness: createCodexHarness(), permissionMode: "allow-edits" });
// @ts-expect-error the types of the harness were found
export const none: number = createCodexHarness();
`;

test("a program's HarnessAgent takes the harness", { ...slow, skip }, async () => {
  await using folder = await tempDir("quire-harness-types-");
  symlinkSync(modules, join(folder.path, "node_modules"));
  writeFileSync(join(folder.path, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder.path, "program.ts"), program);
  const compilerOptions = {
    module: "NodeNext",
    target: "ES2022",
    lib: ["ES2023", "ESNext.Disposable", "DOM"],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules", "@types")],
    paths: { "@quire/client/ai-sdk-harness": [join(root, "packages/client/src/ai-sdk-harness/index.ts")] },
    customConditions: ["bun"],
  };
  writeFileSync(join(folder.path, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const { stdout, status } = spawnSync(process.execPath, [tsc, "-p", folder.path], { encoding: "utf8" });
  assert.deepEqual([status, stdout], [0, ""]);
});
