import { isTable, type Table, valueAt } from "../lib/table.ts";
import { canonicalHost } from "../run/sandbox/network/canonical-host.ts";

/** What the configuration says about hosts: `[features.network_proxy]`. */
export interface NetworkSettings {
  /** Whether commands with network access are asked about host by host. Without, they reach everything. */
  readonly enabled: boolean;
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
  /** Whether this machine and private networks may be reached at all. */
  readonly local: boolean;
}

/** Reads it. */
export function networkSettings(raw: Table): NetworkSettings {
  const value = valueAt(raw, ["features", "network_proxy"]);
  const table = isTable(value) ? value : {};
  const domains = isTable(table.domains) ? Object.entries(table.domains) : [];
  const named = (decision: string) =>
    domains.filter(([, word]) => word === decision).map(([host]) => host.toLowerCase());
  return {
    enabled: value === true || table.enabled === true,
    allowed: named("allow"),
    denied: named("deny"),
    local: table.allow_local_binding === true,
  };
}

/** Whether a canonical host is one that a pattern means: itself, `*.` for those below it, `**.` for both, `*` for all. */
export function hostMatches(pattern: string, host: string): boolean {
  if (pattern === "*") return true;
  const [, stars = "", written = ""] = /^(\*\*?\.)?(.*)$/.exec(pattern) ?? [];
  const name = canonicalHost(written.replace(/^\[(.*)\]$/, "$1")) ?? written.toLowerCase();
  if (stars === "") return host === name;
  return host.endsWith(`.${name}`) || (stars === "**." && host === name);
}
