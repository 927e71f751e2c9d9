import { join } from "node:path";
import { ServerFault } from "../lib/faults.ts";
import { isTable } from "../lib/table.ts";
import { readConfigText } from "./config-files.ts";
import type { OpenConfig } from "./open-config.ts";

/** The database of threads, from `[store]`. */
export interface StorePlace {
  readonly url: string;
  readonly leaseMs: number | undefined;
  /** `IP:PORT` at which the database's other servers reach this one. */
  readonly listen: string;
}

/** `[store]` names no database that can be used. */
class BadStore extends ServerFault {
  override readonly name = "BadStore";
}

/** Bounds of a lease: shorter ones end while a machine is busy, longer ones keep the threads of dead servers. */
const leaseSeconds = { least: 1, most: 3600 };

/** Options of {@link mayNameStore}. */
export interface MayNameStoreOptions {
  readonly home: string;
  readonly configOverrides: Readonly<Record<string, unknown>>;
}

/** True if the configuration may name a database; a quick look, since nearly none does. */
export function mayNameStore({ home, configOverrides }: MayNameStoreOptions): boolean {
  if (Object.keys(configOverrides).some((key) => /^store(\.|$)/.test(key))) return true;
  try {
    return /^\s*(?:\[\s*)?["']?store\b/m.test(readConfigText(join(home, "config.toml")) ?? "");
  } catch {
    return false;
  }
}

/** The database that the user's configuration names; `undefined` for the files of the home. */
export function storePlace(config: OpenConfig, home: string): StorePlace | undefined {
  const row = read(config, home);
  if (row === undefined) return undefined;
  const { url, lease_seconds: lease, listen = "127.0.0.1:0" } = isTable(row) ? row : {};
  if (typeof url !== "string" || !/^postgres(ql)?:\/\//.test(url)) {
    throw new BadStore('[store] in config.toml needs url = "postgres://USER:PASSWORD@HOST/DATABASE"');
  }
  if (
    lease !== undefined &&
    !(typeof lease === "number" && lease >= leaseSeconds.least && lease <= leaseSeconds.most)
  ) {
    const { least, most } = leaseSeconds;
    throw new BadStore(
      `store.lease_seconds in config.toml is ${JSON.stringify(lease)}; give ${least} to ${most} seconds`,
    );
  }
  if (typeof listen !== "string" || !/^.+:\d+$/.test(listen)) {
    throw new BadStore(`store.listen in config.toml is ${JSON.stringify(listen)}; give the IP:PORT of this machine`);
  }
  return { url, listen, leaseMs: lease === undefined ? undefined : lease * 1000 };
}

/** An unreadable configuration begins no thread; who asks for one is told why. */
function read(config: OpenConfig, home: string): unknown {
  try {
    return config.read({ cwd: home }).config.store;
  } catch {
    return undefined;
  }
}
