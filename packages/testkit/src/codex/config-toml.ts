/** A value in `config.toml`. */
export type TomlValue = string | number | boolean | readonly TomlValue[] | { readonly [key: string]: TomlValue };

/** Settings of a real Codex. */
export interface CodexConfig {
  /** The model's endpoint, as in `http://127.0.0.1:PORT/v1`. */
  readonly baseUrl: string;
  /** Default `mock-model`. A name from Codex's own catalogue, such as `gpt-5.5`, changes which tools are offered. */
  readonly modelName?: string;
  /** Default `never`. 0.166 refuses `untrusted` here and takes it in `thread/start` alone. */
  readonly approvalPolicy?: string;
  /** Default `danger-full-access`. */
  readonly sandboxMode?: string;
  /** Retries of a failed model request or stream. Default 0. */
  readonly retries?: number;
  /** Further keys, dotted: `{ "features.plugins": true }`. They win over the defaults. */
  readonly config?: Readonly<Record<string, TomlValue>>;
  /** Tables to append as text, such as `[mcp_servers.files]`. Keys of `features` and `analytics` belong into `config`. */
  readonly toml?: string;
}

/**
 * Keeps Codex from the network: no update check, no analytics, no plugin marketplace (0.118 and later fetch it from
 * GitHub), no apps, no model catalogue (0.98 asks api.openai.com and waits for it).
 */
const offline: Readonly<Record<string, TomlValue>> = {
  check_for_update_on_startup: false,
  "analytics.enabled": false,
  "features.plugins": false,
  "features.apps": false,
  "features.remote_models": false,
};

/** The text of a `config.toml` with which a turn needs no network and asks nobody. */
export function codexConfigToml(options: CodexConfig): string {
  const retries = options.retries ?? 0;
  const keys: Record<string, TomlValue> = {
    model: options.modelName ?? "mock-model",
    model_provider: "mock",
    approval_policy: options.approvalPolicy ?? "never",
    sandbox_mode: options.sandboxMode ?? "danger-full-access",
    ...offline,
    "model_providers.mock.name": "mock",
    "model_providers.mock.base_url": options.baseUrl,
    "model_providers.mock.wire_api": "responses",
    "model_providers.mock.request_max_retries": retries,
    "model_providers.mock.stream_max_retries": retries,
    ...options.config,
  };
  const lines = Object.entries(keys).map(([key, value]) => `${key} = ${encode(value)}`);
  return [...lines, options.toml ?? "", ""].join("\n");
}

/** A JSON string is a TOML basic string, but for DEL, which TOML wants escaped. */
function encode(value: TomlValue): string {
  if (typeof value === "string") return JSON.stringify(value).replaceAll("\x7f", "\\u007f");
  if (typeof value !== "object") return String(value);
  if (isList(value)) return `[${value.map(encode).join(", ")}]`;
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)} = ${encode(field)}`);
  return `{ ${fields.join(", ")} }`;
}

function isList(value: object): value is readonly TomlValue[] {
  return Array.isArray(value);
}
