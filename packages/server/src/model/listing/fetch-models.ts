import type { ProviderConfig } from "../../config/effective-config.ts";
import type { ListedModel } from "../../config/models/facts-memory.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { readBounded } from "../../lib/read-bounded.ts";
import { redactUrl } from "../redact-failure.ts";
import { type ProviderServices, providerHeaders, requestUrl } from "../request-headers.ts";
import { readList } from "./read-list.ts";

/** OpenRouter's list has about a megabyte. */
const maxBytes = 8 << 20;

const timeoutMs = 10_000;

/** The models that a provider lists at `GET {base_url}/models`. Rejects with the reason and a remedy. */
export async function fetchModels(
  config: ProviderConfig,
  services: ProviderServices,
  deadlineMs?: number,
): Promise<ListedModel[]> {
  if (config.baseUrl === null) throw new Error(`${config.name} answers without a network, and has no list of models.`);
  const url = onePage(config, requestUrl(config).replace(/\/responses(?=\?|$)/, "/models"));
  const headers = keyHeaders(config, await providerHeaders(config, services));
  return await fetchList(url, headers, deadlineMs).catch((error: unknown) => {
    const why = `${redactUrl(url)}: ${errorMessage(error)}`;
    throw new Error(`The models of ${config.name} could not be listed (${why}). Check base_url, and the key.`);
  });
}

/** Two wires list a few models at a time unless asked for more. */
function onePage({ wire }: ProviderConfig, url: string): string {
  const size = wire === "anthropic" ? "limit" : wire === "gemini" ? "pageSize" : undefined;
  return size === undefined ? url : `${url}${url.includes("?") ? "&" : "?"}${size}=1000`;
}

/** The list at an address. Rejects with the bare reason. */
export async function fetchList(
  url: string,
  headers: Readonly<Record<string, string>>,
  deadlineMs: number = timeoutMs,
): Promise<ListedModel[]> {
  const response = await fetch(url, {
    headers: { accept: "application/json", ...headers },
    signal: AbortSignal.timeout(deadlineMs),
    redirect: "error",
  });
  const body = await readBounded(response, maxBytes);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return readList(JSON.parse(body));
}

/** Two wires have the key in a header of their own. */
function keyHeaders({ wire }: ProviderConfig, headers: Record<string, string>): Record<string, string> {
  const { authorization, ...others } = headers;
  const key = authorization?.replace(/^Bearer /, "");
  if (key === undefined) return headers;
  if (wire === "anthropic") return { ...others, "x-api-key": key, "anthropic-version": "2023-06-01" };
  return wire === "gemini" ? { ...others, "x-goog-api-key": key } : headers;
}
