import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { GuardedSetting } from "./guarded-settings.ts";
import { WorkflowError } from "./workflow-error.ts";

/** Hashes of settings by name. */
type Hashes = Readonly<Record<string, string>>;

/** A setting that differs from the agreement. */
export interface SettingChange {
  readonly name: string;
  readonly change: "new" | "changed" | "gone";
}

/**
 * A person's consent to the programs of a workflow. It is kept by content, so a file that a merge or an agent changed
 * runs nothing new until somebody has looked at it.
 */
export class Agreement {
  readonly #path: string | undefined;
  #kept: Hashes | undefined;

  /** @param path Where it is kept, in a folder that agents do not see; without one it lasts as long as this object. */
  constructor(path?: string) {
    this.#path = path;
  }

  /** True if somebody has ever agreed. */
  get exists(): boolean {
    return this.#read() !== undefined;
  }

  /** Differences from the agreement; without one, every setting is new. */
  changes(settings: readonly GuardedSetting[]): readonly SettingChange[] {
    const agreed = this.#read() ?? {};
    const now = new Set(settings.map(({ name }) => name));
    const found = settings.flatMap(({ name, value }): SettingChange[] => {
      const before = Object.hasOwn(agreed, name) ? agreed[name] : undefined;
      if (before === hashOf(value)) return [];
      return [{ name, change: before === undefined ? "new" : "changed" }];
    });
    const gone = Object.keys(agreed).filter((name) => !now.has(name));
    return [...found, ...gone.map((name): SettingChange => ({ name, change: "gone" }))];
  }

  /** Throws a `workflow_not_agreed` where something differs. @param path Of the workflow, for the remedy. */
  check(settings: readonly GuardedSetting[], path: string): void {
    const changes = this.changes(settings);
    if (changes.length === 0) return;
    const list = changes.map(({ name, change }) => `${name} (${change})`).join(", ");
    throw new WorkflowError(
      "workflow_not_agreed",
      `The workflow changed since you approved it: ${list}. Review it, then run: quire orchestrate --agree '${path.replaceAll("'", "'\\''")}'`,
    );
  }

  /** Records that a person agrees to the settings as they are. */
  record(settings: readonly GuardedSetting[]): void {
    const hashes = Object.fromEntries(settings.map(({ name, value }) => [name, hashOf(value)]));
    this.#kept = hashes;
    if (this.#path === undefined) return;
    try {
      replaceFile(this.#path, `${JSON.stringify({ settings: hashes }, null, 2)}\n`);
    } catch (error) {
      const remedy = "set QUIRE_HOME to a writable folder";
      throw new Error(`${this.#path} cannot be written (${(error as Error).message}): ${remedy}`, { cause: error });
    }
  }

  /** Reads the agreement. A record that cannot be read agrees to nothing. */
  #read(): Hashes | undefined {
    if (this.#path === undefined) return this.#kept;
    try {
      const { settings } = JSON.parse(readFileSync(this.#path, "utf8")) as { settings?: unknown };
      return typeof settings === "object" && settings !== null ? (settings as Hashes) : {};
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code === "ENOENT" || code === "ENOTDIR" ? undefined : {};
    }
  }
}

function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

const hashOf = (value: string) => createHash("sha256").update(value).digest("hex");
