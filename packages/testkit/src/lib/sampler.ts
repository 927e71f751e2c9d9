import { type ObjectSchema, type Schema, schemaOf } from "@quire/protocol/validate";
import type { Random } from "./random.ts";

/**
 * Makes random values for the protocol's schemas, and spoils them: what a fuzz test sends.
 *
 * ```ts
 * const sampler = new Sampler(random());
 * const params = sampler.mutate(sampler.sample(schemaOf("TurnStartParams")));
 * ```
 */
export class Sampler {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A value that fits, as far as that is known without the other keywords. */
  sample(schema: Schema, depth: number = 0): unknown {
    if (typeof schema === "boolean") return this.#scalar();
    if (schema.$ref !== undefined) return this.sample(schemaOf(schema.$ref.slice("#/definitions/".length)), depth);
    const branches = schema.oneOf ?? schema.anyOf;
    if (branches !== undefined) {
      const value = this.sample(this.#random.pick(branches), depth);
      return schema.properties === undefined ? value : { ...this.#object(schema, depth), ...(value as object) };
    }
    const [part] = schema.allOf ?? [];
    if (part !== undefined) return this.sample(part, depth);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return this.#random.pick(schema.enum);
    const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? ["null"]);
    return this.#typed(this.#random.pick(types), schema, depth);
  }

  #typed(type: string, schema: ObjectSchema, depth: number): unknown {
    if (type === "object") return this.#object(schema, depth);
    if (type === "array") {
      const length = depth > 4 ? 0 : this.#random.int(0, 2);
      return Array.from({ length }, () => this.sample(schema.items ?? true, depth + 1));
    }
    if (type === "string") return this.#random.pick(["a", "some text", "/tmp/x", "😀"]);
    if (type === "integer") return this.#random.pick([0, 1, 7, 200]);
    if (type === "number") return this.#random.pick([0, 1.5, -3]);
    return type === "boolean" ? this.#random.chance() : null;
  }

  #object(schema: ObjectSchema, depth: number): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const wanted = schema.required?.includes(name) || (depth < 4 && this.#random.chance(0.4));
      if (wanted) value[name] = this.sample(field, depth + 1);
    }
    const rest = schema.additionalProperties;
    if (typeof rest === "object" && this.#random.chance()) value.extra = this.sample(rest, depth + 1);
    return value;
  }

  #scalar(): unknown {
    return this.#random.pick([null, true, 0, -1, 1.5, 70_000, 3e9, "", "x", "inProgress", {}, []]);
  }

  /** A copy in which one place differs: replaced, removed or added. */
  mutate(value: unknown): unknown {
    if (Array.isArray(value) && value.length > 0 && this.#random.chance(0.8)) {
      const index = this.#random.int(0, value.length - 1);
      return value.map((item, at) => (at === index ? this.mutate(item) : item));
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) return this.#scalar();
    const names = Object.keys(value);
    const kind = this.#random.next();
    if (names.length === 0 || kind < 0.1) return { ...value, surplus: this.#scalar() };
    if (kind < 0.15) return this.#scalar();
    const name = this.#random.pick(names);
    const copy: Record<string, unknown> = { ...value };
    if (kind < 0.35) delete copy[name];
    else copy[name] = this.mutate(copy[name]);
    return copy;
  }
}
