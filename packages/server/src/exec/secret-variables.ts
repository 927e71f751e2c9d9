import type { EffectiveConfig } from "../config/effective-config.ts";

/** Variables that hold keys of model providers, of whichever: a command may see none of them. */
export function secretVariables({ provider, raw }: EffectiveConfig): string[] {
  const providers = isTable(raw.model_providers) ? Object.values(raw.model_providers) : [];
  const keys = providers.flatMap((row) => (isTable(row) && typeof row.env_key === "string" ? [row.env_key] : []));
  return [...keys, ...(provider.envKey === null ? [] : [provider.envKey]), ...Object.values(provider.envHeaders)];
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
