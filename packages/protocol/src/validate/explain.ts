import { type Check, type CompileContext, compile } from "./compile.ts";
import { expected, received } from "./describe.ts";
import { deref, findDiscriminator } from "./discriminator.ts";
import { isObject, type ObjectSchema, type Schema } from "./schema.ts";

/** A reason why a value does not fit. */
export interface Issue {
  /** Path of the value, such as `params.input[0].text`. */
  readonly path: string;
  /** The schema's expectation. */
  readonly expected: string;
  /** Description of the value found. */
  readonly received: string;
  /** All of it in a sentence. */
  readonly message: string;
}

/** Says what is wrong, after a check has failed. */
export interface ExplainOptions {
  readonly context: CompileContext;
  /** Put before the path in messages: the method. */
  readonly label: string;
}

/** More issues than this help nobody, and a long array could yield millions. */
const mostIssues = 20;

/** Collects issues while it walks a value beside its schema. */
class Explainer {
  readonly issues: Issue[] = [];
  readonly #context: CompileContext;
  readonly #label: string;

  constructor({ context, label }: ExplainOptions) {
    this.#context = context;
    this.#label = label;
  }

  /** Adds what is wrong with a value; nothing where it fits. */
  visit(schema: Schema, value: unknown, path: string): void {
    if (this.issues.length >= mostIssues || this.#fits(schema, value)) return;
    const target = deref(schema, this.#context.resolve);
    const before = this.issues.length;
    if (typeof target === "object") {
      if (isObject(value)) this.#visitObject(target, value, path);
      if (Array.isArray(value)) this.#visitItems(target, value, path);
      for (const part of target.allOf ?? []) this.visit(part, value, path);
      for (const union of [target.oneOf, target.anyOf]) if (union) this.#visitUnion(union, value, path);
    }
    if (this.issues.length === before) this.#add(path, expected(target, this.#context.resolve), value);
  }

  #fits(schema: Schema, value: unknown): boolean {
    return compile(schema, this.#context)(value);
  }

  #add(path: string, wanted: string, value: unknown): void {
    const got = received(value);
    const where = this.#label === "" ? path : `${this.#label} ${path}`;
    this.issues.push({
      path,
      expected: wanted,
      received: got,
      message: `${where}: expected ${wanted}, got ${got}`,
    });
  }

  #visitObject(schema: ObjectSchema, value: Record<string, unknown>, path: string): void {
    const { resolve } = this.#context;
    for (const name of schema.required ?? []) {
      if (value[name] !== undefined) continue;
      this.#add(join(path, name), expected(schema.properties?.[name] ?? true, resolve, true), undefined);
    }
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      const known = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
      const rest = known ?? schema.additionalProperties ?? true;
      if (rest === false) this.#add(join(path, name), "no such property", field);
      else this.visit(rest, field, join(path, name));
    }
  }

  #visitItems(schema: ObjectSchema, value: readonly unknown[], path: string): void {
    for (const [index, item] of value.entries()) this.visit(schema.items ?? true, item, `${path}[${index}]`);
  }

  /** Goes on with the branch that the value was meant to be; where none stands out, names all. */
  #visitUnion(branches: readonly Schema[], value: unknown, path: string): void {
    if (branches.some((branch) => this.#fits(branch, value))) return;
    const { resolve } = this.#context;
    const discriminator = findDiscriminator(branches, resolve);
    const tag = discriminator !== undefined && isObject(value) ? value[discriminator.field] : undefined;
    const tagged = typeof tag === "string" ? discriminator?.branches.get(tag) : undefined;
    const meant = tagged ?? (discriminator === undefined ? this.#meant(branches, value) : undefined);
    if (meant !== undefined) this.visit(meant, value, path);
    else if (discriminator !== undefined && isObject(value)) {
      const tags = [...discriminator.branches.keys()].map((name) => JSON.stringify(name));
      this.#add(join(path, discriminator.field), tags.join(" | "), tag);
    } else this.#add(path, this.#shapes(branches, value) ?? expected({ anyOf: branches }, resolve), value);
  }

  /** Objects told apart by what they must hold, such as `{ url } | { fileId }`: for a value that is an object, too. */
  #shapes(branches: readonly Schema[], value: unknown): string | undefined {
    if (!isObject(value)) return undefined;
    const targets = branches.map((branch) => deref(branch, this.#context.resolve));
    const keys = targets.map((target) => (typeof target === "object" ? (target.required ?? []) : []));
    if (keys.some((required) => required.length === 0)) return undefined;
    return [...new Set(keys.map((required) => `{ ${required.join(", ")} }`))].join(" | ");
  }

  /** The only branch of the value's kind; among several object branches, the one with most required keys present. */
  #meant(branches: readonly Schema[], value: unknown): Schema | undefined {
    const alike = branches.filter((branch) => this.#acceptsKind(branch, value));
    if (alike.length < 2 || !isObject(value)) return alike.length === 1 ? alike[0] : undefined;
    const scores = alike.map((branch) => {
      const target = deref(branch, this.#context.resolve);
      const required = typeof target === "object" ? (target.required ?? []) : [];
      return required.filter((name) => value[name] !== undefined).length;
    });
    const best = Math.max(...scores);
    const isClear = best > 0 && scores.indexOf(best) === scores.lastIndexOf(best);
    return isClear ? alike[scores.indexOf(best)] : undefined;
  }

  /** True if a branch is for values of this kind: objects, arrays, strings and so on. A wrong literal is not. */
  #acceptsKind(branch: Schema, value: unknown): boolean {
    const target = deref(branch, this.#context.resolve);
    if (typeof target === "boolean" || target.enum !== undefined || target.const !== undefined) return false;
    const union = target.oneOf ?? target.anyOf;
    if (target.type === undefined && union !== undefined) return union.some((part) => this.#acceptsKind(part, value));
    const kind: Check = compile(target.type === undefined ? true : { type: target.type }, this.#context);
    return kind(value);
  }
}

function join(path: string, name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}

/** Lists why a value does not fit a schema, at most 20 reasons. */
export function explain(schema: Schema, value: unknown, options: ExplainOptions & { readonly root: string }): Issue[] {
  const explainer = new Explainer(options);
  explainer.visit(schema, value, options.root);
  return explainer.issues;
}
