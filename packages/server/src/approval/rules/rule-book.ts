import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { askAboutAll, parseRules } from "./parse-rules.ts";
import { type ProgramPaths, withPaths } from "./program-paths.ts";
import { allowLine, type HostRule, networkLine, type PrefixRule } from "./rule.ts";

/** A larger file is not written by hand. */
const maxFileBytes = 1 << 20;

interface RuleFile {
  readonly path: string;
  readonly mark: string;
  readonly rules: readonly PrefixRule[];
  readonly hosts: readonly HostRule[];
  readonly programs: readonly ProgramPaths[];
}

/** The rules of a home, `rules/*.rules`, and those of the administrator. Read when they are asked for, and again only where a file has changed. */
export class RuleBook {
  readonly #folder: string;
  readonly #warn: (problem: string) => void;
  readonly #managed: () => readonly PrefixRule[];
  #files: readonly RuleFile[] = [];
  #rules: readonly PrefixRule[] | undefined;

  /** @param warn Called for unreadable files, once per change. */
  constructor(home: string, warn: (problem: string) => void, managed: () => readonly PrefixRule[] = () => []) {
    this.#folder = join(home, "rules");
    this.#warn = warn;
    this.#managed = managed;
  }

  rules(): readonly PrefixRule[] {
    const files = this.#read();
    this.#rules ??= withPaths(
      files.flatMap(({ rules }) => rules),
      files.flatMap(({ programs }) => programs),
    );
    return [...this.#managed(), ...this.#rules];
  }

  hosts(): readonly HostRule[] {
    return this.#read().flatMap(({ hosts }) => hosts);
  }

  #read(): readonly RuleFile[] {
    const files = this.#names().map((name) => this.#file(join(this.#folder, name)));
    const isSame = files.length === this.#files.length && files.every((file, at) => file === this.#files[at]);
    if (!isSame) this.#rules = undefined;
    this.#files = files;
    return files;
  }

  /** Allows commands with this prefix, for every thread. */
  allow(prefix: readonly string[]): void {
    this.#append(allowLine(prefix));
  }

  setHost(host: string, action: "allow" | "deny", protocol = "https"): void {
    this.#append(networkLine(host, action, protocol));
  }

  #append(line: string): void {
    const path = join(this.#folder, "default.rules");
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const text = contents(path);
    if (text.split("\n").includes(line.trimEnd())) return;
    // One append: another server may write at the same time.
    appendFileSync(path, `${text === "" || text.endsWith("\n") ? "" : "\n"}${line}`, { mode: 0o600 });
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => name.endsWith(".rules"))
        .sort();
    } catch {
      // Most homes have no rules.
      return [];
    }
  }

  #file(path: string): RuleFile {
    const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
    const mark = stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
    const known = this.#files.find((file) => file.path === path);
    if (known?.mark === mark) return known;
    if (stat === undefined || !stat.isFile()) return { path, mark, rules: [], hosts: [], programs: [] };
    if (stat.size > maxFileBytes) {
      this.#warn(
        `${path} is larger than ${maxFileBytes} bytes and is not read: split it. Every command is asked about until then.`,
      );
      return { path, mark, rules: [askAboutAll(`${path} is too large to be read`)], hosts: [], programs: [] };
    }
    const { rules, hosts, programs, problems } = parseRules(contents(path));
    for (const problem of problems) this.#warn(`${path}: ${problem}. Until it is fixed, the file allows nothing.`);
    return { path, mark, rules, hosts, programs };
  }
}

function contents(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
