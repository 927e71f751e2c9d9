import { checkJsonSchema } from "./check-json-schema.ts";
import type { JsonSchema } from "./json-schema.ts";
import { isObject, typeOf } from "./json-value.ts";
import { mergeSchemas } from "./merge-all-of.ts";
import { resolveRef } from "./resolve-ref.ts";
import { SchemaError } from "./schema-error.ts";
import { annotations, hasShape, literalTypes, narrowing, nullable } from "./strict-keywords.ts";

/** The way back from a value under the strict schema. */
export type Decode = (value: unknown) => unknown;

/** The decoder of what reads the same both ways. */
const same: Decode = (value) => value;

/** A converted schema. */
export interface Converted {
  readonly schema: JsonSchema;
  readonly decode: Decode;
}

type Node = Record<string, unknown>;

/** Strict mode allows ten levels. A schema this deep is one that merging unfolds without end. */
const mostDepth = 100;

/** Converts the parts of one schema to strict form. */
export class StrictConverter {
  /** Decoders of what references name. Filled while converting, read when decoding. */
  readonly decoders: Map<string, Decode> = new Map();
  /** The replacement of references to the root. */
  rootRef: string = "#";
  /** True when anything refers to the root. */
  isRootUsed: boolean = false;
  /** The finished schema, in which the references of its parts are looked up. */
  strictRoot: JsonSchema = {};
  readonly #root: JsonSchema;
  #depth = 0;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  /** The root's own schema: a root that only refers to a definition, or that is a conjunction, is that. */
  enter(body: Node): Node {
    const merged = body.$ref === undefined && body.allOf === undefined ? body : this.#merge(body, "");
    return merged.type === undefined && isObject(merged.properties) ? { ...merged, type: "object" } : merged;
  }

  convert(node: unknown, path: string): Converted {
    if (this.#depth > mostDepth) throw unsupported(path, "it contains itself in allOf, or beside a union");
    this.#depth += 1;
    const converted = this.#convertNode(node, path);
    this.#depth -= 1;
    return converted;
  }

  #convertNode(node: unknown, path: string): Converted {
    if (!isObject(node)) throw unsupported(path, node === false ? "nothing fits it" : "it allows any value");
    if (node.$ref !== undefined && !hasShape(node)) return this.#convertRef(node, path);
    if (node.$ref !== undefined || node.allOf !== undefined) return this.convert(this.#merge(node, path), path);
    if (node.anyOf !== undefined || node.oneOf !== undefined) return this.#convertUnion(node, path);
    if (node.enum !== undefined || "const" in node) return this.#convertLiteral(node, path);
    return this.#convertTyped(node, path);
  }

  /** Joins a schema with the schemas beside it: what it refers to, and the parts of its `allOf`. */
  #merge(node: Node, path: string, seen: readonly unknown[] = []): Node {
    const { $ref, allOf, $defs: _, definitions: __, ...rest } = node;
    const parts = Array.isArray(allOf) ? [...allOf] : [];
    if ($ref !== undefined) parts.push(this.#target($ref, path));
    const inner = parts.map((part) => {
      if (!isObject(part)) throw unsupported(path, "a part of allOf is no schema");
      if (seen.includes(part)) throw unsupported(path, "its allOf contains itself");
      return this.#merge(part, path, [...seen, part]);
    });
    return mergeSchemas([rest, ...inner], path);
  }

  #target(ref: unknown, path: string): unknown {
    const target = resolveRef(this.#root, ref);
    if (target === undefined) throw unsupported(path, `its reference ${String(ref)} leads nowhere`);
    return target;
  }

  #convertRef(node: Node, path: string): Converted {
    const ref = String(node.$ref);
    this.#target(ref, path);
    if (!/^#$|^#\/(\$defs|definitions)\/[^/]+$/.test(ref)) {
      throw unsupported(path, `its reference ${ref} leads to neither the root nor a definition`);
    }
    if (ref === "#") this.isRootUsed = true;
    const described = annotations(node);
    const $ref = ref === "#" ? this.rootRef : ref;
    // Nothing may stand beside a reference.
    const schema = Object.keys(described).length > 0 ? { ...described, anyOf: [{ $ref }] } : { $ref };
    return { schema, decode: (value) => (this.decoders.get(ref) ?? same)(value) };
  }

  #convertUnion(node: Node, path: string): Converted {
    const { anyOf, oneOf, ...beside } = node;
    if (anyOf !== undefined && oneOf !== undefined) throw unsupported(path, "it has both anyOf and oneOf");
    const originals: unknown[] = Array.isArray(anyOf ?? oneOf) ? ((anyOf ?? oneOf) as unknown[]) : [];
    const shared = hasShape(beside) ? [beside] : [];
    const branches = originals.map((branch) => {
      const original = shared.length === 0 ? branch : { allOf: [...shared, branch] };
      return { original, ...this.convert(original, path) };
    });
    const schema = { ...annotations(node), anyOf: branches.map((branch) => branch.schema) };
    if (branches.every((branch) => branch.decode === same)) return { schema, decode: same };
    return {
      schema,
      decode: (value) => {
        const fitting = branches.filter((branch) => this.#fits(this.strictRoot, branch.schema, value));
        const right = fitting.find((branch) => this.#fits(this.#root, branch.original, branch.decode(value)));
        return ((right ?? fitting[0])?.decode ?? same)(value);
      },
    };
  }

  #fits(root: unknown, schema: unknown, value: unknown): boolean {
    return checkJsonSchema(schema, value, { root }).length === 0;
  }

  #convertLiteral(node: Node, path: string): Converted {
    const values: readonly unknown[] = Array.isArray(node.enum) ? node.enum : [node.const];
    if (values.some((value) => typeof value === "object" && value !== null)) {
      throw unsupported(path, "it is a literal object or array; write out its properties");
    }
    const literal = node.enum === undefined ? { const: node.const } : { enum: node.enum };
    return { schema: { ...annotations(node), type: node.type ?? literalTypes(values), ...literal }, decode: same };
  }

  #convertTyped(node: Node, path: string): Converted {
    const type = node.type ?? (isObject(node.properties) ? "object" : undefined);
    if (type === undefined) throw unsupported(path, "it allows any value; give it a type");
    const types: readonly unknown[] = Array.isArray(type) ? type : [type];
    const schema = { ...annotations(node), type, ...narrowing(node) };
    const object = types.includes("object") ? this.#convertObject(node, path) : undefined;
    const array = types.includes("array") ? this.#convertArray(node, path) : undefined;
    return {
      schema: { ...schema, ...object?.schema, ...array?.schema },
      decode: object === undefined && array === undefined ? same : joinDecoders(object?.decode, array?.decode),
    };
  }

  #convertArray(node: Node, path: string): Converted {
    if (node.prefixItems !== undefined || Array.isArray(node.items)) {
      throw unsupported(path, "it is a tuple; use an object, or an array of one kind");
    }
    const items = this.convert(node.items ?? true, `${path}[]`);
    const { decode } = items;
    return { schema: { items: items.schema }, decode: decode === same ? same : (value) => mapItems(value, decode) };
  }

  #convertObject(node: Node, path: string): Converted {
    const properties = isObject(node.properties) ? node.properties : {};
    const names = Object.keys(properties);
    refuseRecord(node, names, path);
    const required = new Set(Array.isArray(node.required) ? node.required : []);
    const schemas: Record<string, JsonSchema> = {};
    const fields: { readonly name: string; readonly decode: Decode; readonly isLeftOut: boolean }[] = [];
    for (const name of names) {
      const inner = this.convert(properties[name], path === "" ? name : `${path}.${name}`);
      const isOptional = !required.has(name);
      schemas[name] = isOptional ? nullable(inner.schema) : inner.schema;
      const isLeftOut = isOptional && !this.#fits(this.#root, properties[name], null);
      if (isLeftOut || inner.decode !== same) fields.push({ name, decode: inner.decode, isLeftOut });
    }
    const schema = { properties: schemas, required: names, additionalProperties: false };
    if (fields.length === 0) return { schema, decode: same };
    return {
      schema,
      decode: (value) => {
        if (!isObject(value)) return value;
        const result = { ...value };
        for (const { name, decode, isLeftOut } of fields) {
          if (!Object.hasOwn(result, name)) continue;
          if (isLeftOut && result[name] === null) delete result[name];
          else result[name] = decode(result[name]);
        }
        return result;
      },
    };
  }
}

/** Objects with keys that are not known beforehand cannot be closed. */
function refuseRecord(node: Node, names: readonly string[], path: string): void {
  const rest = node.additionalProperties;
  const isNarrowed = isObject(rest) && Object.keys(rest).length > 0;
  const isOpen = names.length === 0 && rest !== false && (rest !== undefined || node.properties === undefined);
  if (isNarrowed || isOpen || node.patternProperties !== undefined) {
    throw unsupported(path, "it has keys that are not known beforehand; use an array of objects with key and value");
  }
}

const mapItems = (value: unknown, decode: Decode): unknown => (Array.isArray(value) ? value.map(decode) : value);

function joinDecoders(object: Decode = same, array: Decode = same): Decode {
  if (object === same && array === same) return same;
  return (value) => (typeOf(value) === "array" ? array(value) : object(value));
}

function unsupported(path: string, why: string): SchemaError {
  const place = path === "" ? "The schema" : `The schema at ${path}`;
  return new SchemaError(`${place} has no strict form: ${why}`, { path });
}
