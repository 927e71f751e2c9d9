import assert from "node:assert/strict";
import { test } from "node:test";
import { random } from "@quire/testkit";
import { PlainTools } from "../../../src/model/plain/plain-tools.ts";
import { repairObject } from "../../../src/model/plain/repair-json.ts";

const repaired: readonly (readonly [string, object])[] = [
  ['```json\n{"cmd": "ls"}\n```', { cmd: "ls" }],
  ['<tool_call>{"cmd": "ls"}</tool_call>', { cmd: "ls" }],
  ["{'cmd': 'echo \"hi\"'}", { cmd: 'echo "hi"' }],
  ['{cmd: "ls", tty: True, shell: None}', { cmd: "ls", tty: true, shell: null }],
  ['{"cmd": "ls", "list": [1, 2,],}', { cmd: "ls", list: [1, 2] }],
  ['{"cmd": "a\nb"}', { cmd: "a\nb" }],
  ['{"cmd": "grep \\d+ \\u00fc"}', { cmd: "grep \\d+ ü" }],
  ['{"cmd": "ls"', { cmd: "ls" }],
  ['{"a": {"b": ["x"', { a: { b: ["x"] } }],
];

for (const [text, expected] of repaired) {
  test(`${JSON.stringify(text)} is read as it was meant`, () => {
    assert.deepEqual(JSON.parse(repairObject(text) ?? "null"), expected);
  });
}

test("nothing is guessed: half a command, two calls, quotes within a text and prose stay as they are", () => {
  for (const text of [
    '{"cmd": "rm -rf /tmp',
    '{"cmd": "a"}{"cmd": "b"}',
    '{"cmd": "echo "hi""}',
    '{"cmd": "ls", "workdir',
    '{"cmd": tru',
    '{"timeout": 100',
    "I will list the files.",
    "",
    "[1]",
    '{"a":'.repeat(100),
  ]) {
    assert.equal(repairObject(text), undefined, text);
  }
});

test("whatever is valid already means the same after it", () => {
  const dice = random();
  const value = (depth: number): unknown => {
    const kinds = [
      () => dice.int(-9, 9),
      () => dice.pick(['a"b', "\\n", "{'x'}", "ü😀\n", ""]),
      () => null,
      () => true,
    ];
    const nested = [
      () => [value(depth - 1), value(depth - 1)],
      () => ({ a: value(depth - 1), "b c": value(depth - 1) }),
    ];
    return dice.pick(depth > 0 ? [...kinds, ...nested] : kinds)();
  };
  for (let round = 0; round < 300; round++) {
    const given = { x: value(4) };
    assert.deepEqual(JSON.parse(repairObject(JSON.stringify(given)) ?? "null"), given);
  }
});

test("a call comes with its arguments repaired; valid ones keep their bytes, hopeless ones their words", () => {
  const tools = new PlainTools([{ type: "function", name: "run" }]);
  const argumentsOf = (args: string) => {
    const item = tools.itemOf({ callId: "1", name: "run", arguments: args });
    return item.type === "function_call" ? item.arguments : assert.fail(item.type);
  };
  assert.equal(argumentsOf('{ "cmd":"ls" }'), '{ "cmd":"ls" }');
  assert.equal(argumentsOf("{'cmd':'ls'}"), '{"cmd":"ls"}');
  assert.equal(argumentsOf('"{\\"cmd\\":\\"ls\\"}"'), '{"cmd":"ls"}');
  assert.equal(argumentsOf(""), "{}");
  assert.equal(argumentsOf('{"cmd":"rm -rf /tmp'), '{"cmd":"rm -rf /tmp');
});
