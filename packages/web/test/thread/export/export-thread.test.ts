import assert from "node:assert/strict";
import { test } from "node:test";
import type { ThreadItem, Turn } from "@quire/protocol";
import { markdownOf } from "../../../src/thread/export/export-thread.ts";

const turn = (items: readonly object[], error: { message: string } | null = null): Turn =>
  ({ id: "t", items: items as ThreadItem[], error, status: error === null ? "completed" : "failed" }) as Turn;

test("no text of a command or a diff leaves its block of code", () => {
  const text = markdownOf("Ticks", [
    turn([
      { type: "commandExecution", command: "cat a.md", aggregatedOutput: "`````\n# not a heading\n" },
      { type: "fileChange", changes: [{ path: "a.md", diff: "+```\n" }] },
    ]),
  ]);
  assert.match(text, /``````console\n\$ cat a\.md\n`````\n# not a heading\n``````\n/);
  assert.match(text, /\*\*a\.md\*\*\n\n````diff\n\+```\n````\n/);
});

test("calls of tools and searches are exported with what they were given and what came back", () => {
  const text = markdownOf("Tools", [
    turn([
      { type: "mcpToolCall", server: "docs", tool: "find", arguments: { q: "```" }, result: { content: ["Found"] } },
      { type: "webSearch", query: "tides" },
    ]),
  ]);
  assert.match(text, /\*\*docs\.find\*\*\n\n````\n\{\n {2}"q": "```"\n\}\n\n\{[\s\S]*Found[\s\S]*\n````\n/);
  assert.match(text, /\*\*Web search\*\*\n\n```\ntides\n```\n/);
});

test("an error, a picture and what nobody reads are told, named and left out", () => {
  const items = [
    { type: "userMessage", content: [{ type: "text", text: "Look" }, { type: "image" }] },
    { type: "reasoning", summary: ["Hm"], content: [] },
  ];
  assert.equal(
    markdownOf("Look", [turn(items, { message: "It broke\nbadly" })]),
    "# Look\n\n## You\n\nLook\n[image]\n\n> **Failed:** It broke\n> badly\n",
  );
});
