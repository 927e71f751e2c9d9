import type { ProviderConfig } from "../../config/effective-config.ts";
import { isLocalServer } from "../../config/provider/providers.ts";

/** Hosts whose endpoints know all of OpenAI's dialect. */
const hosts = /(?:^|\.)(?:openai\.com|chatgpt\.com|openai\.azure\.com|cognitiveservices\.azure\.com|amazonaws\.com)$/;

/** True for a provider that is asked in OpenAI's dialect, whatever it answers. */
export function knowsDialect({ dialect, baseUrl, aws }: ProviderConfig): boolean {
  if (dialect !== undefined) return dialect === "openai";
  return aws !== undefined || hosts.test(URL.parse(baseUrl ?? "")?.hostname ?? "");
}

/** True for a provider that certainly has none of Codex's models, but its own. */
export function hasOwnModels({ id, wire, isEmbedded, dialect }: ProviderConfig): boolean {
  return wire !== undefined || isEmbedded === true || dialect === "plain" || isLocalServer(id);
}
