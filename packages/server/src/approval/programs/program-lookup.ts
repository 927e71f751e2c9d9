import { statSync } from "node:fs";
import { delimiter, isAbsolute, resolve } from "node:path";
import { statIfExists } from "../../lib/stat-if-exists.ts";
import { isExecutable } from "../../run/process/find-program.ts";
import type { WritablePlaces } from "./writable-places.ts";

const systemPath = "/usr/bin:/bin";

/** Builtins that change nothing for later commands except the folder. */
const plainBuiltins = new Set(": cd echo false pwd times true ulimit umask wait".split(" "));

/** Builtins that may change the meaning of later words, or run their arguments. */
const changingBuiltins = new Set(
  (
    ". [ alias autoload bind builtin command declare emulate enable eval exec export fc function getopts hash let local " +
    "mapfile popd printf pushd read readarray readonly set setopt shopt source test trap typeset unalias unset unsetopt zmodload"
  ).split(" "),
);

/** The program behind a name. */
export interface FoundProgram {
  /** The file, or the name of a builtin. */
  readonly file: string;
  /** True when a model may have made it, or controls it. */
  readonly open: boolean;
}

/** Finds programs by name as a shell does, and who controls them. */
export class ProgramLookup {
  readonly #folders: readonly string[];
  readonly #cwd: string;
  readonly #places: WritablePlaces;
  readonly #areOpen = new Map<string, boolean>();

  constructor(path: string | undefined, cwd: string, places: WritablePlaces) {
    this.#folders = (path ?? systemPath).split(delimiter);
    this.#cwd = cwd;
    this.#places = places;
  }

  get path(): string {
    return this.#folders.join(delimiter);
  }

  /** PATH without folders that a model can write and without relative ones. */
  get ownPath(): string {
    const own = this.#folders.filter((folder) => !this.isOpen(folder));
    // An empty one would mean the working folder.
    return own.length === 0 ? systemPath : own.join(delimiter);
  }

  /** True when a model can put programs where a shell looks for them. */
  get hasOpen(): boolean {
    return this.#folders.some((folder) => this.isOpen(folder));
  }

  find(name: string): FoundProgram | undefined {
    if (plainBuiltins.has(name) || changingBuiltins.has(name)) return { file: name, open: false };
    if (name.includes("/")) {
      const file = resolve(this.#cwd, name);
      return isProgram(file) ? { file, open: this.#places.has(file) } : undefined;
    }
    for (const folder of this.#folders) {
      const file = resolve(this.#cwd, folder, name);
      if (isProgram(file)) return { file, open: this.isOpen(folder) || this.#places.has(file) };
    }
    return undefined;
  }

  /** True when all commands of a script run programs that no model can have made. */
  areOwn(commands: readonly (readonly string[])[]): boolean {
    const moves = commands.some(([name]) => name === "cd");
    return commands.every(([name = ""]) => {
      if (changingBuiltins.has(name)) return commands.length === 1;
      if (moves && name.includes("/") && !isAbsolute(name)) return false;
      return this.find(name)?.open === false;
    });
  }

  /** Identifies the program behind a name now. Changes with the file if a model can change it. */
  mark(name: string): string {
    const found = this.find(name);
    if (found === undefined || !found.open || name.includes("/")) return found?.file ?? name;
    const stat = statSync(found.file, { throwIfNoEntry: false, bigint: true });
    return `${found.file} ${stat?.dev} ${stat?.ino} ${stat?.size} ${stat?.mtimeNs} ${stat?.ctimeNs}`;
  }

  /** True when a model can put programs into a folder on PATH. */
  readonly isOpen = (folder: string): boolean => {
    let open = this.#areOpen.get(folder);
    if (open === undefined) {
      open = !isAbsolute(folder) || this.#places.hasFolder(folder);
      this.#areOpen.set(folder, open);
    }
    return open;
  };
}

function isProgram(path: string): boolean {
  try {
    return statIfExists(path)?.isFile() === true && isExecutable(path);
  } catch {
    // In a folder that cannot be entered.
    return false;
  }
}
