import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createValidator } from "@quire/protocol/validate";

const tree = createValidator({
  Tree: JSON.stringify({
    type: "object",
    properties: { value: { type: "number" }, children: { type: "array", items: { $ref: "#/definitions/Tree" } } },
    required: ["value"],
  }),
  Either: JSON.stringify({
    anyOf: [{ $ref: "#/definitions/Tree" }, { $ref: "#/definitions/Other" }, { type: "null" }],
  }),
  Other: JSON.stringify({
    type: "object",
    properties: { either: { $ref: "#/definitions/Either" } },
    required: ["either"],
    additionalProperties: false,
  }),
});

describe("createValidator", () => {
  it("follows definitions that refer to themselves", () => {
    const good = { value: 1, children: [{ value: 2, children: [{ value: 3 }] }] };
    assert.deepEqual(tree.validate("Tree", good), { ok: true });
    const bad = { value: 1, children: [{ value: 2, children: [{ value: "3" }] }] };
    assert.deepEqual(tree.validate("Tree", bad, { label: "a/b", root: "params" }), {
      ok: false,
      issues: [
        {
          path: "params.children[0].children[0].value",
          expected: "number",
          received: '"3"',
          message: 'a/b params.children[0].children[0].value: expected number, got "3"',
        },
      ],
    });
  });

  it("follows definitions that refer to each other", () => {
    assert.ok(tree.validate("Either", { either: { either: { value: 1 } } }).ok);
    assert.ok(tree.validate("Either", { either: null }).ok);
    const verdict = tree.validate("Either", { either: { either: 5 } });
    assert.deepEqual(verdict.ok ? [] : verdict.issues.map((issue) => issue.message), [
      "value.either.either: expected object | { either }, got 5",
    ]);
  });

  it("parses and compiles only what is used", () => {
    const lazy = createValidator({ Good: '{"type":"string"}', Broken: "{" });
    assert.ok(lazy.validate("Good", "x").ok);
    assert.throws(() => lazy.validate("Broken", "x"), SyntaxError);
  });

  it("gives the same verdict object for every value that fits", () => {
    assert.equal(tree.validate("Tree", { value: 1 }), tree.validate("Tree", { value: 2 }));
  });

  it("counts characters, not code units, and knows the bounds of integers", () => {
    const schemas = createValidator({
      Two: '{"type":"string","minLength":2}',
      Port: '{"type":"integer","format":"uint16","minimum":1}',
    });
    assert.equal(schemas.validate("Two", "😀").ok, false);
    assert.equal(schemas.validate("Two", "😀😀").ok, true);
    assert.equal(schemas.validate("Port", 65_535).ok, true);
    for (const port of [0, -1, 65_536, 1.5, "80"]) {
      const verdict = schemas.validate("Port", port);
      assert.equal(verdict.ok ? "" : verdict.issues[0]?.expected, "integer from 1 to 65535");
    }
  });
});
