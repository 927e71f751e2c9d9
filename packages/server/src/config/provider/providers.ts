import type { ProviderConfig } from "../effective-config.ts";
import type { Environment } from "../home.ts";
import type { Settings } from "../settings.ts";
import { awsAccess, bedrockId } from "./aws-access.ts";
import { awsRegion } from "./aws-region.ts";
import { gatewayOAuth } from "./gateway-oauth.ts";
import { tokenCommand } from "./token-command.ts";
import { defaultAddress, wireChoice } from "./wire-choice.ts";

/** The provider that needs no network. */
export const offlineProviderId = "offline";

const openaiProviderId = "openai";
/** The variable that holds the key of the built-in provider. */
export const openaiKey = "OPENAI_API_KEY";

/** Servers of local models that need no table. They are asked only when chosen. */
const localUrls: ReadonlyMap<string, { readonly name: string; readonly url: string }> = new Map([
  ["ollama", { name: "Ollama", url: "http://127.0.0.1:11434/v1" }],
  ["lmstudio", { name: "LM Studio", url: "http://127.0.0.1:1234/v1" }],
]);

/** True for the id of a server of local models that needs no table. */
export function isLocalServer(id: string): boolean {
  return localUrls.has(id);
}

const defaults = { requestMaxRetries: 4, streamMaxRetries: 5, streamIdleTimeoutMs: 300_000 } as const;

/** More retries help nobody, and a typing error must not keep a thread busy for days. */
const maxRetries = 100;

/** Surroundings that decide over the default provider. */
interface DefaultContext {
  readonly env: Environment;
  readonly loggedIn?: (() => boolean) | undefined;
  readonly defaultProvider?: string | undefined;
}

/** The provider where the configuration names none. */
export function defaultProviderId({ env, loggedIn, defaultProvider = offlineProviderId }: DefaultContext): string {
  return loggedIn?.() || env[openaiKey]?.trim() ? openaiProviderId : defaultProvider;
}

/** Surroundings of a provider's row. */
interface ProviderContext {
  readonly env: Environment;
  readonly home: string;
  /** Ids of the providers that were given in code. */
  readonly embedded?: readonly string[] | undefined;
}

/** The row of a provider. Throws a ConfigError when there is no such row or it cannot be used. */
export function providerRow(
  id: string,
  settings: Settings,
  { env, home, embedded = [] }: ProviderContext,
): ProviderConfig {
  if (embedded.includes(id)) return row(id, { name: id, baseUrl: null, isEmbedded: true });
  if (id === bedrockId) return bedrockRow(settings, env);
  if (settings.raw("model_providers", id) !== undefined && id !== offlineProviderId) return ownRow(id, settings, home);
  if (id === offlineProviderId) return row(id, { name: "Quire offline", baseUrl: null });
  if (id === openaiProviderId) {
    const baseUrl = settings.name("openai_base_url") ?? (env.OPENAI_BASE_URL?.trim() || "https://api.openai.com/v1");
    return row(id, { name: "OpenAI", baseUrl, envKey: openaiKey, requiresOpenaiAuth: true });
  }
  const local = localUrls.get(id);
  if (local) return row(id, { name: local.name, baseUrl: local.url });
  throw settings.error(
    ["model_provider"],
    `Model provider \`${id}\` not found. Add a table [model_providers.${id}] with base_url, or use "openai", "ollama", "lmstudio" or "offline".`,
  );
}

function ownRow(id: string, settings: Settings, home: string): ProviderConfig {
  const at = (key: string): [string, string, string] => ["model_providers", id, key];
  const wire = wireChoice(id, settings, home);
  const baseUrl = settings.url(...at("base_url")) ?? defaultAddress(wire);
  const needsAddress = wire === undefined || wire === "chat";
  if (baseUrl === null && needsAddress) {
    throw settings.error(
      ["model_providers", id],
      'base_url is missing. Add it, as in base_url = "http://127.0.0.1:8080/v1".',
    );
  }
  const gateway = gatewayOAuth(id, settings);
  const command = tokenCommand(id, settings);
  const fallback = settings.strings(...at("fallback"));
  const hostedTools = settings.strings(...at("hosted_tools"));
  const dialect = settings.oneOf(["openai", "plain"], ...at("dialect"));
  return row(id, {
    name: settings.name(...at("name")) ?? id,
    baseUrl,
    ...(wire && { wire, maxOutputTokens: settings.count(...at("max_output_tokens")) ?? undefined }),
    envKey: settings.name(...at("env_key")),
    envKeyInstructions: settings.string(...at("env_key_instructions")),
    bearerToken: settings.name(...at("experimental_bearer_token")),
    headers: settings.stringTable(...at("http_headers")),
    envHeaders: settings.stringTable(...at("env_http_headers")),
    queryParams: settings.stringTable(...at("query_params")),
    requestMaxRetries: retries(settings.count(...at("request_max_retries")), defaults.requestMaxRetries),
    streamMaxRetries: retries(settings.count(...at("stream_max_retries")), defaults.streamMaxRetries),
    streamIdleTimeoutMs: settings.count(...at("stream_idle_timeout_ms")) ?? defaults.streamIdleTimeoutMs,
    requiresOpenaiAuth: settings.flag(...at("requires_openai_auth")) ?? false,
    ...(dialect && { dialect }),
    ...(fallback.length > 0 && { fallback }),
    ...(hostedTools.length > 0 && { hostedTools }),
    ...(gateway && { gatewayOauth: gateway }),
    ...(command && { tokenCommand: command }),
  });
}

/** Amazon Bedrock. Its address follows from the region unless it is set. */
function bedrockRow(settings: Settings, env: Environment): ProviderConfig {
  const aws = awsAccess(bedrockId, settings);
  const set = settings.url("model_providers", bedrockId, "base_url");
  const region = awsRegion(aws, env);
  if (set === null && region === null) {
    const complaint = `No region. Set aws.region in [model_providers.${bedrockId}], or AWS_REGION.`;
    throw settings.error(["model_provider"], complaint);
  }
  const baseUrl = set ?? `https://bedrock-mantle.${region}.amazonaws.com/openai/v1`;
  return row(bedrockId, { name: "Amazon Bedrock", baseUrl, aws });
}

function row(id: string, own: Partial<ProviderConfig> & Pick<ProviderConfig, "name" | "baseUrl">): ProviderConfig {
  return {
    id,
    envKey: null,
    envKeyInstructions: null,
    bearerToken: null,
    headers: {},
    envHeaders: {},
    queryParams: {},
    ...defaults,
    requiresOpenaiAuth: false,
    ...own,
  };
}

function retries(configured: number | null, fallback: number): number {
  return Math.min(configured ?? fallback, maxRetries);
}
