import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { PackageWire } from "../../config/effective-config.ts";
import { isLanguageModel } from "./is-language-model.ts";
import type { LanguageModel } from "./language-model.ts";

/** Settings that the provider packages of the AI SDK share; each skips those that it does not know. */
interface PackageSettings {
  readonly apiKey: string | undefined;
  readonly baseURL: string | undefined;
  readonly name: string;
  readonly fetch: typeof globalThis.fetch;
  readonly includeUsage?: boolean;
  readonly supportsStructuredOutputs?: boolean;
}

type Create = (settings: object) => unknown;

/** A model of any provider package of the AI SDK, installed in the home or beside Quire. */
export async function packageModel(
  wire: PackageWire,
  model: string,
  settings: PackageSettings,
): Promise<LanguageModel> {
  const found = (await import(pathToFileURL(locate(wire)).href)) as Readonly<Record<string, unknown>>;
  const [create] = Object.entries(found)
    .filter(([name, value]) => /^create[A-Z]/.test(name) && typeof value === "function")
    .map(([, value]) => value as Create);
  if (!create) throw new Error(`The package ${wire.package} makes no provider: it exports no function named create….`);
  const set = Object.entries(settings).filter(([, value]) => value !== undefined);
  const provider = create(Object.fromEntries(set));
  const made = modelOf(provider, model);
  if (made === undefined)
    throw new Error(`The package ${wire.package} makes no language models of the AI SDK's version 3 or 4.`);
  return made;
}

/** The user's own installation has precedence. */
function locate({ package: name, home }: PackageWire): string {
  const holder = [home, ...besideQuire()].find((folder) => existsSync(join(folder, "node_modules", name)));
  if (holder === undefined)
    throw new Error(`The package ${name} is not installed. Run: npm install --prefix ${JSON.stringify(home)} ${name}`);
  return Bun.resolveSync(name, holder);
}

/**
 * Folders above this file whose packages include this one. Others above it or the home may be part of the work, where a
 * command could have put a package of that name.
 */
function* besideQuire(): Generator<string> {
  for (let at = import.meta.dirname; at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, "node_modules", "@quire", "server"))) yield at;
  }
}

function modelOf(provider: unknown, model: string): LanguageModel | undefined {
  const isProvider = (typeof provider === "object" || typeof provider === "function") && provider !== null;
  if (!isProvider || !("languageModel" in provider) || typeof provider.languageModel !== "function") return undefined;
  const made: unknown = provider.languageModel(model);
  return typeof made === "object" && made !== null && isLanguageModel(made) ? made : undefined;
}
