import type { EffectiveConfig } from "../../config/effective-config.ts";
import { openaiKey } from "../../config/provider/providers.ts";
import { isTable } from "../../lib/table.ts";

/** Variables that hold keys of model providers, of whichever: a command may see none of them. */
export function secretVariables({ provider, raw }: Pick<EffectiveConfig, "provider" | "raw">): string[] {
  const rows = isTable(raw.model_providers) ? Object.values(raw.model_providers) : [];
  const named = rows
    .filter(isTable)
    .flatMap(({ env_key: key, env_http_headers: headers }) => [
      key,
      ...(isTable(headers) ? Object.values(headers) : []),
    ]);
  const all = [openaiKey, provider.envKey, ...Object.values(provider.envHeaders), ...named];
  return all.filter((name) => typeof name === "string");
}
