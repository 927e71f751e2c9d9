import { linkWords } from "../words/words.ts";

/** A provider's word on a key; `unknown` where it could not be asked. */
export type KeyVerdict =
  | { readonly verdict: "good"; readonly models: readonly string[] }
  | { readonly verdict: "refused" | "unknown"; readonly reason: string };

/** A provider of models, as far as it matters for asking it. */
export interface ProviderAddress {
  /** Default: OpenAI's, or the one that the gateway's environment names. */
  readonly baseUrl?: string | undefined;
  /** Default `responses`. */
  readonly wireApi?: string | undefined;
}

/** Lets the gateway ask a provider whether it knows a key: a page may reach nobody but the gateway. */
export async function checkKey(key: string, provider: ProviderAddress): Promise<KeyVerdict> {
  try {
    const response = await fetch("/api/key-check", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ key, ...provider }),
      credentials: "same-origin",
    });
    if (!response.ok) return { verdict: "unknown", reason: (await response.text()).trim() };
    return (await response.json()) as KeyVerdict;
  } catch {
    return { verdict: "unknown", reason: linkWords.noAnswer };
  }
}

/** The address that a server's configuration gives the provider of its key; undefined for the usual one. */
export function keyAddress(config: Readonly<Record<string, unknown>>): string | undefined {
  const { model_provider: provider, model_providers: tables, openai_base_url: openai } = config;
  const table = isTable(tables) && typeof provider === "string" ? tables[provider] : undefined;
  if (isTable(table) && typeof table.base_url === "string") return table.base_url;
  return typeof openai === "string" ? openai : undefined;
}

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
