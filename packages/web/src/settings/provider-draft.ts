import { modelWords as words } from "../words/words.ts";
import { isBuiltIn } from "./local-servers.ts";

/** A provider as its form holds it. */
export interface ProviderDraft {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  /** Empty keeps the key that is stored. */
  readonly key: string;
  readonly envKey: string;
  /** Lines such as `Name: value`. */
  readonly headers: string;
  readonly wireApi: string;
  readonly dialect: string;
  readonly model: string;
}

type Table = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The form of a provider's table, or of a new one. */
export function draftOf(id: string, table: Table, model: string): ProviderDraft {
  const headers = typeof table.http_headers === "object" && table.http_headers !== null ? table.http_headers : {};
  return {
    id,
    name: text(table.name),
    baseUrl: text(table.base_url),
    key: "",
    envKey: text(table.env_key),
    headers: Object.entries(headers)
      .map(([name, value]) => `${name}: ${String(value)}`)
      .join("\n"),
    wireApi: text(table.wire_api) || "responses",
    dialect: text(table.dialect),
    model,
  };
}

/** The first thing that is wrong with a form; null for one that can be saved. */
export function problemOf(draft: ProviderDraft, taken: ReadonlySet<string>): string | null {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(draft.id)) return words.badId;
  if (taken.has(draft.id) || isBuiltIn(draft.id)) return words.takenId;
  if (!/^https?:$/.test(URL.parse(draft.baseUrl)?.protocol ?? "")) return words.badUrl;
  const bad = lines(draft.headers).find((line) => headerOf(line) === null);
  return bad === undefined ? null : words.badHeader(bad);
}

/** The table of a provider, with what its form does not show kept. */
export function tableOf(draft: ProviderDraft, before: Table): Table {
  const headers = Object.fromEntries(lines(draft.headers).flatMap((line) => [headerOf(line) ?? []]));
  const changed: Record<string, unknown> = {
    ...before,
    name: draft.name.trim() || draft.id,
    base_url: draft.baseUrl.trim(),
    wire_api: draft.wireApi,
    env_key: draft.envKey.trim(),
    dialect: draft.dialect,
    http_headers: headers,
  };
  if (draft.key.trim() !== "") changed.experimental_bearer_token = draft.key.trim();
  else if (movedFrom({ baseUrl: text(before.base_url) }, draft)) delete changed.experimental_bearer_token;
  for (const name of ["env_key", "dialect"]) if (changed[name] === "") delete changed[name];
  if (Object.keys(headers).length === 0) delete changed.http_headers;
  return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null && value !== undefined));
}

/** True where the address is another host's: a key that is stored for the one is not for the other. */
export function movedFrom(before: Pick<ProviderDraft, "baseUrl">, after: Pick<ProviderDraft, "baseUrl">): boolean {
  return URL.parse(before.baseUrl)?.origin !== URL.parse(after.baseUrl.trim())?.origin;
}

const lines = (all: string): readonly string[] =>
  all
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

function headerOf(line: string): readonly [string, string] | null {
  const match = /^([!#$%&'*+.^_`|~\w-]+):\s*([\x20-\x7e]+)$/.exec(line);
  return match?.[1] === undefined || match[2] === undefined ? null : [match[1], match[2]];
}
