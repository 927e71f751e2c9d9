import { linkSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { writePrivate } from "../../lib/private-file.ts";
import { isTable, type Table } from "../../lib/table.ts";
import type { ConfigPrint } from "./fingerprint.ts";

/** The content of a project that a user trusted. */
export interface TrustRecord {
  /** The entry of `[projects]`. */
  readonly project: string;
  readonly root: string;
  readonly recordedAt: string;
  /** Configs by their `.codex` folder relative to the root. */
  readonly configs: Readonly<Record<string, ConfigPrint>>;
  /** True when the record cannot be read: then it is unknown what was trusted. */
  readonly damaged?: boolean | undefined;
  /** Files of the project that its configuration or the user's runs by name: relative path and hash. */
  readonly scripts: Readonly<Record<string, string>>;
}

const maxKnown = 1000;

/** Attempts when another server writes at the same time. */
const maxAttempts = 10;

/**
 * The records of a home: one private file for each project in `trusted-projects`, so that servers sharing the home do
 * not overwrite each other's. Where the home cannot be written, a record lasts as long as the server.
 */
export class TrustRecords {
  readonly #folder: string;
  readonly #unwritten = new Map<string, TrustRecord>();
  readonly #paths = new Map<string, string>();
  readonly #known = new Map<string, { readonly stamp: string; readonly record: TrustRecord }>();

  constructor(home: string) {
    this.#folder = join(home, "trusted-projects");
  }

  /** The record of a project; `undefined` when there is none. An unreadable one trusts nothing. */
  read(project: string): TrustRecord | undefined {
    const path = this.#path(project);
    const stamp = stampOf(path);
    if (stamp === undefined) return this.#unwritten.get(project);
    const known = this.#known.get(project);
    if (known?.stamp === stamp) return known.record;
    const record = readRecord(path, project);
    if (this.#known.size >= maxKnown) this.#known.clear();
    this.#known.set(project, { stamp, record });
    return record;
  }

  /** Writes a first record. Returns the one in effect: another server's when that came first. */
  add(record: TrustRecord): TrustRecord {
    const path = this.#path(record.project);
    const temporary = `${path}.${crypto.randomUUID()}.new`;
    try {
      writePrivate(temporary, textOf(record));
      linkSync(temporary, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") this.#unwritten.set(record.project, record);
    } finally {
      rmSync(temporary, { force: true });
    }
    return this.read(record.project) ?? record;
  }

  replace(record: TrustRecord): void {
    this.#unwritten.delete(record.project);
    writePrivate(this.#path(record.project), textOf(record));
  }

  /** Updates an existing record, including another server's changes. Returns the new one. */
  update(project: string, change: (record: TrustRecord) => TrustRecord): TrustRecord | undefined {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const before = this.read(project);
      if (before === undefined || before.damaged) return undefined;
      const after = change(before);
      if (Bun.deepEquals(before, after)) return after;
      if (this.#unwritten.has(project)) this.#unwritten.set(project, after);
      else if (Bun.deepEquals(this.read(project), before)) this.replace(after);
      else continue;
      return after;
    }
    return undefined;
  }

  remove(project: string): void {
    this.#unwritten.delete(project);
    rmSync(this.#path(project), { force: true });
  }

  list(): TrustRecord[] {
    let names: string[];
    try {
      names = readdirSync(this.#folder).filter((name) => name.endsWith(".json"));
    } catch {
      return [...this.#unwritten.values()];
    }
    const written = names.flatMap((name) => {
      try {
        return parseRecord(readFileSync(join(this.#folder, name), "utf8")) ?? [];
      } catch {
        return [];
      }
    });
    return [...written, ...this.#unwritten.values()].sort((a, b) => (a.project < b.project ? -1 : 1));
  }

  #path(project: string): string {
    const known = this.#paths.get(project);
    if (known !== undefined) return known;
    const name = new Bun.CryptoHasher("sha256").update(project).digest("hex").slice(0, 32);
    const path = join(this.#folder, `${name}.json`);
    if (this.#paths.size >= maxKnown) this.#paths.clear();
    this.#paths.set(project, path);
    return path;
  }
}

/** Each record is a new file, so the same stamp means the same content; `undefined` when there is none. */
function stampOf(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
    return stat && `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
  } catch {
    // Nobody may look: the reading fails as well.
    return "";
  }
}

function readRecord(path: string, project: string): TrustRecord {
  try {
    return parseRecord(readFileSync(path, "utf8"), project) ?? nothingTrusted(project);
  } catch {
    return nothingTrusted(project);
  }
}

function textOf(record: TrustRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

function nothingTrusted(project: string): TrustRecord {
  return { project, root: project, recordedAt: "", configs: {}, scripts: {}, damaged: true };
}

function parseRecord(text: string, expected?: string): TrustRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isTable(value)) return undefined;
  const { project, root, recordedAt, configs, scripts } = value;
  if (typeof project !== "string" || typeof root !== "string" || !isTable(configs) || !isTable(scripts))
    return undefined;
  if (expected !== undefined && project !== expected) return undefined;
  return {
    project,
    root,
    recordedAt: typeof recordedAt === "string" ? recordedAt : "",
    configs: onlyPrints(configs),
    scripts: Object.fromEntries(
      Object.entries(scripts).filter((row): row is [string, string] => typeof row[1] === "string"),
    ),
  };
}

function onlyPrints(configs: Table): Record<string, ConfigPrint> {
  return Object.fromEntries(
    Object.entries(configs).flatMap(([folder, print]) => {
      if (!isTable(print) || typeof print.hash !== "string" || !Array.isArray(print.keys)) return [];
      return [[folder, { hash: print.hash, keys: print.keys.filter((key) => typeof key === "string") }] as const];
    }),
  );
}
