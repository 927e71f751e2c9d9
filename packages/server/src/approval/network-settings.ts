import { isTable, type Table, valueAt } from "../lib/table.ts";
import { canonicalHost } from "../run/sandbox/network/canonical-host.ts";

/** Settings for hosts: `[features.network_proxy]`. */
export interface NetworkSettings {
  /** True to ask about commands' network access host by host. Otherwise they reach everything. */
  readonly enabled: boolean;
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
  /** True when this machine and private networks may be reached at all. */
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

/** True when a pattern matches a canonical host: itself, `*.` for its subdomains, `**.` for both, `*` for all. */
export function hostMatches(pattern: string, host: string): boolean {
  if (pattern === "*") return true;
  const [, stars = "", written = ""] = /^(\*\*?\.)?(.*)$/.exec(pattern) ?? [];
  const name = canonicalHost(written.replace(/^\[(.*)\]$/, "$1")) ?? written.toLowerCase();
  if (stars === "") return host === name;
  return host.endsWith(`.${name}`) || (stars === "**." && host === name);
}
