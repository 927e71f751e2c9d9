import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import type { CommandAction } from "@quire/protocol";
import { commandActions } from "../../src/shell/command-actions.ts";

const cwd = "/up/ws";

/** `[kind, command, …]`, as in the table. */
function brief(action: CommandAction): (string | null | undefined)[] {
  if (action.type === "read") return ["read", action.command, action.name, action.path];
  if (action.type === "listFiles") return ["list", action.command, action.path];
  return action.type === "search" ? ["search", action.command, action.query, action.path] : ["unknown"];
}

describe("command actions", () => {
  test("commands are told to clients as Codex 0.166 tells them", () => {
    const file = new URL("./fixtures/command-actions.json", import.meta.url);
    const observed: [string, unknown[]][] = JSON.parse(readFileSync(file, "utf8"));
    assert.ok(observed.length > 300);
    for (const [script, expected] of observed)
      assert.deepEqual(commandActions(script, cwd).map(brief), expected, script);
  });

  test("what changes files is never told as looking at them", () => {
    for (const script of [
      "find . -delete",
      "find . -exec rm x \\;",
      "ls | xargs rm",
      "ls | xargs -n 1 sh -c 'rm $0'",
      "rg -l foo | xargs sed -i s/a/b/",
      "sed -i -n 1,5p a.txt",
      "cat a.txt | sed -i s/a/b/ b.txt",
      "ls && sort a.txt -o a.txt",
      "cat a > b",
      "cat $(rm x)",
      "python3 -c 'import os; os.listdir(); os.remove(\"x\")'",
    ]) {
      assert.deepEqual(commandActions(script, cwd), [{ type: "unknown", command: script }], script);
    }
  });

  test("escapes and comments are understood", () => {
    assert.deepEqual(brief(commandActions("cat a\\ b.txt # why", cwd)[0] as CommandAction), [
      "read",
      "cat 'a b.txt'",
      "a b.txt",
      "/up/ws/a b.txt",
    ]);
  });
});
