/** Users of OpenAI's API pay nothing for the others. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

const script = join(import.meta.dirname, "loaded-packages.ts");

for (const [wire, names] of [
  ["responses", []],
  ["plain responses", []],
  ["chat", ["@ai-sdk/openai-compatible"]],
  ["anthropic", ["@ai-sdk/anthropic"]],
  ["gemini", ["@ai-sdk/google"]],
] as const) {
  test(`a turn on ${wire} loads ${names[0] ?? "nothing of the AI SDK"}`, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [script, wire]);
    const { status, names: loaded } = JSON.parse(stdout) as { status: string; names: string[] };
    assert.equal(status, "completed");
    const shared = new Set(["@ai-sdk/provider", "@ai-sdk/provider-utils"]);
    assert.deepEqual(
      loaded.filter((name) => names.length === 0 || !shared.has(name)),
      names,
    );
  });
}
