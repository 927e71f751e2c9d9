import type { Flags } from "./flag.ts";
import { UsageError } from "./usage-error.ts";

/** Options that change the configuration; they may also stand before the command's name. */
export const configFlags = {
  config: {
    type: "list",
    short: "c",
    value: "key=value",
    help: 'Override a value of config.toml. The key is a dotted path. The value is parsed as TOML, or else used as a string: -c model="gpt-5.5", -c model_providers.local.base_url=http://127.0.0.1:8080/v1',
  },
  enable: {
    type: "list",
    value: "FEATURE",
    help: "Turn a feature on; the same as -c features.FEATURE=true. May be repeated.",
  },
  disable: {
    type: "list",
    value: "FEATURE",
    help: "Turn a feature off; the same as -c features.FEATURE=false. May be repeated.",
  },
} as const satisfies Flags;

/** Values of {@link configFlags}. */
export interface ConfigFlagValues {
  readonly config: readonly string[];
  readonly enable: readonly string[];
  readonly disable: readonly string[];
}

/** The overrides as dotted paths and values. */
export function configOverrides({ config, enable, disable }: ConfigFlagValues): Record<string, unknown> {
  const overrides: Record<string, unknown> = {};
  for (const name of enable) overrides[`features.${name}`] = true;
  for (const name of disable) overrides[`features.${name}`] = false;
  for (const pair of config) {
    const equals = pair.indexOf("=");
    if (equals < 0) throw new UsageError(`error parsing -c overrides: Invalid override (missing '='): ${pair}`);
    const key = pair.slice(0, equals).trim();
    if (key === "") throw new UsageError(`error parsing -c overrides: Empty key in override: ${pair}`);
    overrides[key] = tomlValue(pair.slice(equals + 1).trim());
  }
  return overrides;
}

function tomlValue(text: string): unknown {
  try {
    return (Bun.TOML.parse(`value = ${text}`) as { value: unknown }).value;
  } catch {
    // Not TOML: a plain word, as in `-c model=gpt-5.5`. Quotes around it are the shell's habit, not part of it.
    return text.replace(/^(["'])(.*)\1$/, "$2");
  }
}
