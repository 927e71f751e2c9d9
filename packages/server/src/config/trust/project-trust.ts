import { basename, join, relative, sep } from "node:path";
import { isWithin } from "../../lib/is-within.ts";
import { protectScripts } from "../../lib/protected-scripts.ts";
import { isTable, type Table } from "../../lib/table.ts";
import type { ConfigFile, ConfigFiles } from "../config-files.ts";
import { type Project, type ProjectFolder, resolved, trustLevel } from "../project.ts";
import { type ConfigPrint, configPrint } from "./fingerprint.ts";
import { namedFiles, searchFiles } from "./named-files.ts";
import { keepingScripts, maxFolders, recordProject } from "./record-project.ts";
import { contentHash } from "./script-file.ts";
import { type TrustRecord, TrustRecords } from "./trust-records.ts";

/** The reason why the configuration of a folder is ignored although its project is trusted. */
export interface Distrust {
  /** The config is new, changed or gone, the folder is another one, or the record of trust is lost. */
  readonly kind: "new" | "changed" | "gone" | "moved" | "unknown";
  /** Its settings, former ones included, by their first name. */
  readonly keys: readonly string[];
  readonly had: readonly string[];
}

/** A program that is about to be started. */
export interface ScriptCheck {
  readonly project: Project;
  readonly cwd: string;
  /** The words of its command line that may name files. */
  readonly words: Iterable<string>;
}

/** Total folders to visit when a home's projects are first seen. */
const maxFoldersOfAll = 50_000;

/** Knows what of each trusted project was there when the user trusted it. */
export class ProjectTrust {
  readonly #home: string;
  readonly #files: ConfigFiles;
  readonly #records: TrustRecords;
  readonly #seen = new WeakSet<ConfigFile>();
  /** Projects trusted by the command line or a client, for the life of the server. */
  readonly #passing = new Map<string, TrustRecord>();
  readonly #prints = new WeakMap<Table, { readonly print: ConfigPrint | undefined }>();

  constructor(home: string, files: ConfigFiles) {
    this.#home = home;
    this.#files = files;
    this.#records = new TrustRecords(home);
  }

  /**
   * Records trusted projects without a record, as those that Codex, an editor or an earlier version trusted. All at
   * once and before anything runs, so that no command of a model can change one first.
   */
  seal(user: ConfigFile | undefined, project: Project): void {
    if (user === undefined || this.#seen.has(user)) return;
    this.#seen.add(user);
    const entries = isTable(user.values.projects) ? Object.entries(user.values.projects) : [];
    const left = { all: maxFoldersOfAll };
    for (const [entry, row] of entries) {
      const level = trustLevel(row);
      const record = level && this.#records.read(entry);
      // Distrust that was written down ends what was trusted before.
      if (level === "untrusted" && record) this.#records.remove(entry);
      if (level !== "trusted" || record) continue;
      const budget = { left: Math.min(maxFolders, left.all) };
      const before = budget.left;
      this.#records.add(this.#look(entry, { budget, cwd: cwdUnder(project, entry) }));
      left.all -= before - budget.left;
    }
  }

  /** The reason why a trusted folder's configuration is ignored; `undefined` when it is as the user trusted it. */
  judge(folder: ProjectFolder, values: Table | undefined): Distrust | undefined {
    const record = this.#recordOf(folder);
    if (record === undefined) return undefined;
    const now = this.#print(values);
    if (record.damaged) return { kind: "unknown", keys: now?.keys ?? [], had: [] };
    const root = resolved(record.project);
    const place = placeOf(root, folder);
    const known = Object.hasOwn(record.configs, place) ? record.configs[place] : undefined;
    const had = known?.keys ?? [];
    if (root !== record.root) return { kind: "moved", keys: now?.keys ?? [], had };
    if (now?.hash === known?.hash) return undefined;
    if (now === undefined) return { kind: "gone", keys: had, had };
    return { kind: known === undefined ? "new" : "changed", keys: [...new Set([...now.keys, ...had])], had };
  }

  /** Files of a trusted project that a program would run and that differ from what the user trusted. */
  changedScripts({ project, cwd, words }: ScriptCheck): string[] {
    const folder = project.folders.at(-1);
    const record = folder?.trust === "trusted" ? this.#recordOf(folder) : undefined;
    if (record === undefined) return [];
    const root = resolved(record.project);
    const { found, direct } = searchFiles(words, { root, bases: [...new Set([cwd, root])] });
    // Before they are compared.
    protectScripts(direct.filter((path) => !isManaged(path)));
    return [...found].flatMap(([path, hash]) => {
      const known = Object.hasOwn(record.scripts, path) ? record.scripts[path] : undefined;
      return root === record.root && known !== undefined && hash === known ? [] : [join(root, path)];
    });
  }

  /** True when a file's content is what the user trusted, or the file lies in no trusted project. */
  isTrusted(project: Project, path: string, bytes: Uint8Array): boolean {
    const folder = project.folders.at(-1);
    const record = folder?.trust === "trusted" ? this.#recordOf(folder) : undefined;
    if (record === undefined) return true;
    const inside = [path, resolved(path)].find((each) => isWithin(each, resolved(record.project)));
    if (inside === undefined) return true;
    const known = relative(resolved(record.project), inside);
    return resolved(record.project) === record.root && record.scripts[known] === contentHash(bytes);
  }

  trust(entry: string, cwd?: string): TrustRecord {
    const record = this.preview(entry, cwd);
    this.#records.replace(record);
    return record;
  }

  /** The record that {@link trust} would write. */
  preview(entry: string, cwd?: string): TrustRecord {
    return keepingScripts(this.#look(entry, { budget: { left: maxFolders }, cwd }), this.#records.read(entry));
  }

  revoke(entry: string): void {
    this.#records.remove(entry);
    this.#passing.delete(entry);
  }

  recordFor(entry: string): TrustRecord | undefined {
    return this.#records.read(entry);
  }

  /** Trusts scripts as they are now, in the projects of these folders: the user has just set up their program. */
  trustScripts(words: Iterable<string>, folders: readonly string[]): void {
    const all = [...words];
    const places = folders.map(resolved);
    for (const record of [...this.#records.list(), ...this.#passing.values()]) {
      const own = places.filter((place) => isWithin(place, record.root));
      if (own.length === 0 || resolved(record.project) !== record.root) continue;
      const found = [...namedFiles(all, { root: record.root, bases: [record.root, ...own] })];
      const scripts = Object.fromEntries(found.filter((row): row is [string, string] => row[1] !== undefined));
      this.#change(record.project, (before) => ({ ...before, scripts: { ...before.scripts, ...scripts } }));
    }
  }

  /** Accepts a user's change of a project's config. Returns true when the config was trusted before, and so is now. */
  acceptConfig({ folders }: Project, { before, after }: { readonly before: Table; readonly after: Table }): boolean {
    const folder = folders.at(-1);
    if (folder?.entry === undefined || folder.trust !== "trusted" || this.judge(folder, before)) return false;
    const print = configPrint(after);
    return this.#change(folder.entry, (record) => {
      const place = placeOf(record.root, folder);
      const { [place]: _, ...others } = record.configs;
      return { ...record, configs: print ? { ...others, [place]: print } : others };
    });
  }

  #change(project: string, change: (record: TrustRecord) => TrustRecord): boolean {
    const passing = this.#passing.get(project);
    if (passing === undefined || this.#records.read(project))
      return this.#records.update(project, change) !== undefined;
    this.#passing.set(project, change(passing));
    return true;
  }

  #recordOf({ entry, path }: ProjectFolder): TrustRecord | undefined {
    if (entry === undefined) return undefined;
    const known = this.#records.read(entry) ?? this.#passing.get(entry);
    if (known) return known;
    const made = this.#look(entry, { budget: { left: maxFolders }, cwd: path });
    this.#passing.set(entry, made);
    return made;
  }

  #look(project: string, how: Pick<Parameters<typeof recordProject>[0], "budget" | "cwd">): TrustRecord {
    return recordProject({ home: this.#home, files: this.#files, project, ...how });
  }

  #print(values: Table | undefined): ConfigPrint | undefined {
    if (values === undefined) return undefined;
    const known = this.#prints.get(values);
    if (known) return known.print;
    const print = configPrint(values);
    this.#prints.set(values, { print });
    return print;
  }
}

/** The key of a folder's config in a record. */
function placeOf(root: string, { path }: ProjectFolder): string {
  return relative(root, join(resolved(path), ".codex"));
}

/** True for files that package managers write, which commands run all the time. */
function isManaged(path: string): boolean {
  return basename(path) === "package.json" || path.split(sep).includes("node_modules");
}

/** The deepest folder that an entry decides about. */
function cwdUnder({ folders }: Project, entry: string): string | undefined {
  return folders.findLast((folder) => folder.entry === entry)?.path;
}
