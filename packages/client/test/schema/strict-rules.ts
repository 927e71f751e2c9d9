import assert from "node:assert/strict";

const allowed = new Set([
  ...["type", "title", "description", "enum", "const", "anyOf", "$ref", "$defs", "definitions"],
  ...["properties", "required", "additionalProperties", "items", "minItems", "maxItems", "pattern", "format"],
  ...["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
]);

type Node = Record<string, unknown>;

/** Checks OpenAI's rules for schemas in strict mode. */
export function assertStrict(schema: object): void {
  assert.equal((schema as Node).type, "object", "the root is an object");
  assert.equal((schema as Node).anyOf, undefined, "the root is no union");
  visit(schema as Node);
}

function visit(node: Node): void {
  const text = JSON.stringify(node);
  for (const keyword of Object.keys(node)) assert.ok(allowed.has(keyword), `${keyword} in ${text}`);
  if (node.$ref !== undefined) assert.deepEqual(Object.keys(node), ["$ref"], `nothing beside a reference: ${text}`);
  else assert.ok(node.type !== undefined || node.anyOf !== undefined, `a type: ${text}`);
  if ([node.type].flat().includes("object")) {
    assert.equal(node.additionalProperties, false, text);
    assert.deepEqual(node.required, Object.keys(node.properties as Node), text);
  }
  if ([node.type].flat().includes("array")) assert.ok(node.items, text);
  for (const group of [node.properties, node.$defs, node.definitions]) {
    for (const part of Object.values((group ?? {}) as Node)) visit(part as Node);
  }
  for (const part of [...((node.anyOf ?? []) as Node[]), ...(node.items ? [node.items as Node] : [])]) visit(part);
}
