import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import { parseJson } from "../lib/bounded-json.ts";
import { isTable } from "../lib/table.ts";

/** The beginning by which content of this kind is known among that of OpenAI. */
const mark = "quire:";

/** Content that only the provider that made it can read, such as the signature of its reasoning. */
export function sealed(provider: string, metadata: SharedV4ProviderMetadata | undefined): string {
  const text = JSON.stringify({ provider, metadata: metadata ?? {} });
  return mark + Buffer.from(text).toString("base64url");
}

/** The metadata in an item's `encrypted_content`; `undefined` unless this provider made it. */
export function unsealed(provider: string, content: string | null | undefined): SharedV4ProviderMetadata | undefined {
  if (!isSealed(content)) return undefined;
  try {
    const value = parseJson(Buffer.from(content.slice(mark.length), "base64url").toString());
    if (!isTable(value) || value.provider !== provider || !isTable(value.metadata)) return undefined;
    return value.metadata as SharedV4ProviderMetadata;
  } catch {
    return undefined;
  }
}

/** True for content that a provider of another wire made. */
export function isSealed(content: unknown): content is string {
  return typeof content === "string" && content.startsWith(mark);
}
