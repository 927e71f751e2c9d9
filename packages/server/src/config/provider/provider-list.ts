import type { GatewayAuth, ModelProviderSummary, ProviderSettings } from "@quire/protocol";
import { isTable, ownValue, type Table } from "../../lib/table.ts";

/** Providers that need no table of their own, and the names under which Codex shows them. */
const builtIn: ReadonlyMap<string, string> = new Map([
  ["openai", "OpenAI"],
  ["amazon-bedrock", "Amazon Bedrock Mantle"],
  ["amazon-bedrock-runtime", "Amazon Bedrock Runtime"],
  ["gcp", "Google Cloud Vertex AI"],
  ["ollama", "Ollama"],
  ["lmstudio", "LM Studio"],
  ["offline", "Quire offline"],
]);

/** True for a provider that a table must not redefine. */
export const isBuiltIn = (id: string): boolean => builtIn.has(id);

/** Origin of a provider's settings. */
export interface ProviderTables {
  /** The tables in effect, and those of the user's own file, which alone can be edited. */
  readonly all: Table;
  readonly own: Table;
}

/** The providers that can be chosen, by id: those with a table, the vendor's, and the one in use. */
export function listProviders({ all, own }: ProviderTables, current: string): ModelProviderSummary[] {
  return [...new Set([...Object.keys(all), "openai", current])].sort().map((id) => summarizeProvider(id, { all, own }));
}

/** A provider, without its keys. */
export function summarizeProvider(id: string, { all, own }: ProviderTables): ModelProviderSummary {
  const table = tableOf(all, id);
  const isOwn = isTable(ownValue(own, id));
  return {
    id,
    name: builtIn.get(id) ?? (typeof table.name === "string" ? table.name : id),
    canEdit: isOwn && id !== "openai" && id !== "offline",
    baseUrl: builtIn.has(id) ? null : shownUrl(table.base_url),
    settings: settingsOf(id, table),
  };
}

function settingsOf(id: string, table: Table): ProviderSettings {
  if (id === "openai") return { type: "openai" };
  if (id === "amazon-bedrock" || id === "amazon-bedrock-runtime") {
    const aws = tableOf(table, "aws");
    return { type: "bedrock", profile: textOrNull(aws.profile), region: textOrNull(aws.region) };
  }
  if (id === "gcp") {
    return {
      type: "gcp",
      projectId: textOrNull(table.project_id),
      location: textOrNull(table.location),
      credentialFile: textOrNull(table.credential_file),
    };
  }
  return { type: "customGateway", auth: authOf(table) };
}

/** Keys that carry a credential in a way that only the file can change. */
const external = [
  "auth",
  "experimental_bearer_token",
  "gateway_oauth",
  "http_headers",
  "env_http_headers",
  "query_params",
];

function authOf(table: Table): GatewayAuth {
  const envKey = textOrNull(table.env_key);
  const isExternal = external.some((key) => table[key] !== undefined) || table.requires_openai_auth === true;
  const hidden = typeof table.base_url === "string" && shownUrl(table.base_url) === null;
  if (isExternal || hidden) return { mode: "externallyConfigured", envKey };
  return envKey === null ? { mode: "none" } : { mode: "environmentVariable", envKey };
}

/** An address without a credential in it; `null` for any other. */
export function shownUrl(value: unknown): string | null {
  if (typeof value !== "string" || !URL.canParse(value)) return null;
  const { protocol, username, password, search, hash } = new URL(value);
  const isPlain = username === "" && password === "" && search === "" && hash === "";
  return isPlain && (protocol === "http:" || protocol === "https:") ? value : null;
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

function tableOf(tables: Table, name: string): Table {
  const value = ownValue(tables, name);
  return isTable(value) ? value : {};
}
