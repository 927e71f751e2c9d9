import type { StandardSchema } from "@quire/client/schemas";
import { frozenCopy } from "../lib/frozen-copy.ts";
import { RecordError } from "./session-errors.ts";

/** The kinds of slices: rolled back with the session (`state`), or append-only (`log`). */
export type SlicePolicy = "state" | "log";

/** Options of {@link record}. */
export interface RecordOptions<T> {
  /** The behaviour of its slice on a roll-back. Default `state`. */
  readonly policy?: SlicePolicy | undefined;
  /** Its text for a model. Default: JSON. */
  readonly render?: ((value: T) => string) | undefined;
}

/** The common part of every {@link RecordType}. */
export interface AnyRecordType {
  /** Names it in snapshots. Unique within a session. */
  readonly typeName: string;
  readonly policy: SlicePolicy;
  /** Makes a record. Throws a RecordError where the value does not fit. */
  make(value: unknown): object;
  /** The text of a record for a model; undefined without a `render` of its own. */
  render(value: object): string | undefined;
}

/** A {@link RecordType} for reading records only. */
export interface RecordKind<T extends object> extends AnyRecordType {
  /** Tells a record of this kind. */
  is(value: unknown): value is Readonly<T>;
}

/**
 * A kind of record: what a session keeps in one slice, and what can be dispatched to it. Called with a value it makes a
 * record: a frozen copy that knows its kind. It is a Standard Schema, so it also serves as the output of a prompt and as
 * the result of a tool, which then are records themselves.
 */
export interface RecordType<T extends object, Input = T> extends RecordKind<T>, StandardSchema<Input, Readonly<T>> {
  (value: Input): Readonly<T>;
}

/** The type of a record's fields: `RecordOf<typeof Plan>`. */
export type RecordOf<R> = R extends RecordKind<infer T> ? Readonly<T> : never;

const typeKey = Symbol.for("@quire/agent/recordType");

/** The kind of a record; undefined for all other values. */
export function recordTypeOf(value: unknown): AnyRecordType | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as { readonly [typeKey]?: AnyRecordType })[typeKey];
}

/**
 * Defines a kind of record.
 *
 * ```ts
 * const Plan = record("demo.plan", z.object({ steps: z.array(z.string()) }));
 * session.seed(Plan({ steps: ["read", "write"] }));
 * session.slice(Plan).latest()?.steps;
 * ```
 *
 * The schema must answer at once, as zod, valibot and arktype do. Without one, nothing is checked: `record<Plan>("plan")`.
 */
export function record<T extends object, Input = T>(
  typeName: string,
  schema: StandardSchema<Input, T>,
  options?: RecordOptions<T>,
): RecordType<T, Input>;
/** Defines a kind of record without a schema. */
export function record<T extends object>(
  typeName: string,
  schema?: undefined,
  options?: RecordOptions<T>,
): RecordType<T>;
/** Defines a kind of record, with a schema or without. */
export function record<T extends object>(
  typeName: string,
  schema?: StandardSchema<unknown, T>,
  options: RecordOptions<T> = {},
): RecordType<T> {
  if (typeName.trim() === "") throw new RecordError("A record type needs a name, such as demo.plan");
  const make = (value: unknown): Readonly<T> => {
    if (recordTypeOf(value) === type) return value as T;
    return tag(typeName, schema === undefined ? value : checked(typeName, schema, value), type) as T;
  };
  const type: RecordType<T> = Object.assign((value: T) => make(value), {
    typeName,
    policy: options.policy ?? "state",
    make,
    is: (value: unknown): value is Readonly<T> => recordTypeOf(value) === type,
    render: (value: object) => options.render?.(value as T),
    "~standard": {
      version: 1 as const,
      vendor: "quire",
      validate: (value: unknown) => validate(schema, value, make),
      jsonSchema: schema?.["~standard"].jsonSchema ?? olderJsonSchema(schema),
    },
  });
  return Object.freeze(type);
}

type Verdict<T> = ReturnType<StandardSchema<unknown, T>["~standard"]["validate"]>;

/** With the schema's own issues and their paths, where there are some. */
function validate<T>(
  schema: StandardSchema<unknown, T> | undefined,
  value: unknown,
  make: (v: unknown) => T,
): Verdict<T> {
  const result = schema?.["~standard"].validate(value);
  if (result instanceof Promise || result?.issues !== undefined) return result;
  try {
    return { value: make(value) };
  } catch (error) {
    return { issues: [{ message: (error as Error).message }] };
  }
}

function checked<T>(typeName: string, schema: StandardSchema<unknown, T>, value: unknown): T {
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise) {
    // Nobody waits for it any more.
    result.catch(() => {});
    throw new RecordError(`The schema of record "${typeName}" answers later: use one that answers at once`);
  }
  if (result.issues === undefined) return result.value;
  const issues = result.issues.map(({ path = [], message }) => {
    const at = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
    return at === "" ? message : `${at}: ${message}`;
  });
  throw new RecordError(`This is no "${typeName}": ${issues.join("; ")}`);
}

function tag(typeName: string, value: unknown, type: AnyRecordType): object {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new RecordError(`A record is an object, which a "${typeName}" here is not`);
  // The top is copied by itself, so that a record of another kind can be made into one of this kind.
  const keep = (part: object) => recordTypeOf(part) !== undefined;
  const copy = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, frozenCopy(part, keep)]));
  Object.defineProperty(copy, typeKey, { value: type });
  return Object.freeze(copy);
}

/** The conversion of arktype and zod from before there was a standard. */
function olderJsonSchema(schema: object | undefined): StandardSchema["~standard"]["jsonSchema"] {
  const methods = (schema ?? {}) as { toJsonSchema?: () => object; toJSONSchema?: () => object };
  const method = methods.toJsonSchema ?? methods.toJSONSchema;
  if (method === undefined) return undefined;
  const convert = () => ({ ...method.call(schema) });
  return { input: convert, output: convert };
}
