import type { SchemaInput } from "@quire/client";
import type { StandardSchema } from "@quire/client/schemas";
import { isPlainObject } from "../lib/frozen-copy.ts";
import { fieldsOf } from "../schema/schema-shape.ts";

/** A value for the parameters of one schema. */
export class ParamsBinding {
  readonly schema: SchemaInput;
  readonly value: unknown;

  constructor(schema: SchemaInput, value: unknown) {
    this.schema = schema;
    this.value = value;
  }
}

/** Binds a value to one schema by name: for prompts in which two schemas have fields of one name. */
export function paramsFor<I>(schema: StandardSchema<I, unknown>, value: I): ParamsBinding {
  return new ParamsBinding(schema, value);
}

/** The values bound to a prompt, one per schema. Rendering reports errors. */
export class BoundParams {
  readonly #schemas: readonly SchemaInput[];
  readonly #values = new Map<SchemaInput, unknown>();
  readonly #problems: string[] = [];

  /** @param schemas The schemas that sections use. */
  constructor(schemas: Iterable<SchemaInput>) {
    this.#schemas = [...new Set(schemas)];
  }

  get values(): ReadonlyMap<SchemaInput, unknown> {
    return this.#values;
  }

  get problems(): readonly string[] {
    return this.#problems;
  }

  /** Takes the values of one call; what was bound to the same schemas before is replaced. */
  bind(given: readonly unknown[]): void {
    const bindings = given.flatMap((value) => (value instanceof ParamsBinding ? [value] : this.#distribute(value)));
    const seen = new Set<SchemaInput>();
    for (const { schema, value } of bindings) {
      if (!this.#schemas.includes(schema)) this.#problems.push("something is bound to a schema that no section uses");
      else if (seen.has(schema)) this.#problems.push(`two values are bound to the parameters {${describe(schema)}}`);
      else this.#values.set(schema, value);
      seen.add(schema);
    }
  }

  /** Gives each schema the fields that it knows. */
  #distribute(value: unknown): readonly ParamsBinding[] {
    if (!isPlainObject(value)) {
      this.#problems.push("what is bound must be an object");
      return [];
    }
    const left = new Set(Object.keys(value));
    const bindings = this.#schemas.flatMap((schema) => {
      const fields = fieldsOf(schema) ?? Object.keys(value);
      const own = fields.filter((field) => Object.hasOwn(value, field));
      for (const field of own) left.delete(field);
      if (own.length === 0) return [];
      return [new ParamsBinding(schema, Object.fromEntries(own.map((field) => [field, value[field]])))];
    });
    for (const field of left) this.#problems.push(`"${field}" is bound, but no section has such a parameter`);
    return bindings;
  }
}

/** The fields of a schema, for messages. */
export const describe = (schema: SchemaInput): string => fieldsOf(schema)?.join(", ") ?? "…";
