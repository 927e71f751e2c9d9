import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { random } from "@quire/testkit";
import { ConfigError } from "../../src/config/config-error.ts";
import { editToml as editAll } from "../../src/config/toml/edit-toml.ts";
import { withoutValue, withValue } from "../../src/lib/table.ts";

const editToml = (text: string, path: string[], value: unknown): string => editAll(text, [{ path, value }]);

const file = `# my settings
model = "old" # the best
features.apps = false

# where models are
[model_providers.mock]
name = "mock"
headers = { "x-a" = "1" }

[[skills.config]]
name = "one"
enabled = false
`;

describe("an edit of a config file keeps all else as it was", () => {
  const cases: [name: string, path: string[], value: unknown, wanted: string][] = [
    ["a value in its place", ["model"], "new", file.replace('"old"', '"new"')],
    [
      "a new key of the root",
      ["effort"],
      "high",
      file.replace("features.apps = false\n", 'features.apps = false\neffort = "high"\n'),
    ],
    [
      "a key beside dotted ones",
      ["features", "x"],
      true,
      file.replace("apps = false\n", "apps = false\nfeatures.x = true\n"),
    ],
    ["a key of a table", ["model_providers", "mock", "retries"], 3, file.replace('"1" }\n', '"1" }\nretries = 3\n')],
    [
      "a key within an inline table",
      ["model_providers", "mock", "headers", "x-b"],
      "2",
      file.replace('{ "x-a" = "1" }', '{ x-a = "1", x-b = "2" }'),
    ],
    [
      "a table of its own",
      ["projects", "/a.b", "trust_level"],
      "trusted",
      `${file}\n[projects."/a.b"]\ntrust_level = "trusted"\n`,
    ],
    ["a key that goes", ["features", "apps"], undefined, file.replace("features.apps = false\n", "")],
    [
      "a list of tables",
      ["skills", "config"],
      [{ name: "two", enabled: false }],
      `${file.slice(0, file.indexOf("[[skills"))}[skills]\nconfig = [{ name = "two", enabled = false }]\n`,
    ],
  ];
  for (const [name, path, value, wanted] of cases) {
    test(name, () => assert.equal(editToml(file, path, value), wanted));
  }

  test("what stands there already changes nothing", () => assert.equal(editToml(file, ["model"], "old"), file));

  test("strings with quotes, line ends and brackets are no keys", () => {
    const odd = 'a = """\n[no.table]\nb = 1\n"""\nc = [\n  "x]", # ] =\n  \'y\',\n]\nd = \'[\'\n';
    assert.equal(editToml(odd, ["e"], 'say "hi"\n'), `${odd}e = "say \\"hi\\"\\n"\n`);
    assert.equal(editToml(odd, ["c"], []), odd.replace(/c = \[[\s\S]*?\n\]/, "c = []"));
  });

  test("an element of a list of tables is not edited", () => {
    assert.throws(() => editToml(file, ["skills", "config", "name"], "x"), ConfigError);
  });
});

test("any sequence of edits gives what the same edits of the values give", () => {
  const dice = random();
  const keys = ["a", "b", "c d", "e.f"];
  const values = [1, true, "text", 'quo"te\n', ["x", "y"], { a: 1, "c d": "z" }, {}, 2.5];
  for (let round = 0; round < 150; round++) {
    let text = dice.pick(["", file, "a.b = 1\n\n[a.c]\nx = 2 # two\n", "[a]\nb = { a = 1 }\n"]);
    let table = Bun.TOML.parse(text) as Record<string, unknown>;
    for (let step = 0; step < 8; step++) {
      const path = Array.from({ length: dice.int(1, 3) }, () => dice.pick(keys));
      const value = dice.chance(0.25) ? undefined : dice.pick(values);
      text = editToml(text, path, value);
      table = (value === undefined ? withoutValue(table, path) : withValue(table, path, value)) as typeof table;
      assert.deepEqual(pruned(Bun.TOML.parse(text)), pruned(table), text);
    }
  }
});

test("edits made at once give what they give one by one", () => {
  const dice = random();
  const keys = ["a", "b", "c d", "e.f"];
  const values = [1, "text", ["x"], [{ a: 1 }], { a: 1, b: { a: 2 } }, {}, { a: { b: { a: 1 } } }];
  for (let round = 0; round < 300; round++) {
    const text = dice.pick(["", file, "a.b = 1\n\n[a.c]\nx = 2 # two\n", "[a]\nb = { a = 1 }\n", "[b]\n[b.a]\nb = 2"]);
    const edits = Array.from({ length: dice.int(2, 8) }, () => ({
      path: Array.from({ length: dice.int(1, 3) }, () => dice.pick(keys)),
      value: dice.chance(0.2) ? null : dice.pick(values),
      merge: dice.chance(0.5),
    }));
    const single = edits.reduce((sum, edit) => editAll(sum, [edit]), text);
    assert.deepEqual(
      pruned(Bun.TOML.parse(editAll(text, edits))),
      pruned(Bun.TOML.parse(single)),
      JSON.stringify(edits),
    );
  }
});

/** Without empty tables, which a removal may leave or not. */
function pruned(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, pruned(each)] as const);
  return Object.fromEntries(entries.filter(([, each]) => !isEmpty(each)));
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}
