import { readFileSync, rmSync, statSync } from "node:fs";
import { writePrivate } from "../lib/private-file.ts";
import { type Keyring, type KeyringOptions, openKeyring } from "./keyring.ts";

/** Storage for the text of a login. */
export interface AuthStorage {
  /** Changes whenever the text may have; `null` when there is none. */
  stamp(): string | null;
  read(): string | null;
  write(text: string): void;
  remove(): void;
}

/** Options of {@link authStorage}. */
export interface AuthStorageOptions extends KeyringOptions {
  readonly path: string;
  /** `cli_auth_credentials_store`; an unknown name means the file. */
  readonly store: unknown;
  /** Called when a login is done without the keyring because that failed. */
  readonly warn: (problem: string, error: unknown) => void;
}

/** The place that the configuration names: `file`, `keyring`, `auto` (the keyring if there is one) or `ephemeral`. */
export function authStorage(options: AuthStorageOptions): AuthStorage {
  const { store, path, warn } = options;
  if (store === "ephemeral") return new MemoryStorage();
  if (store === "keyring") return new KeyringStorage(openKeyring(options), path, warn);
  const file = new FileStorage(path);
  return store === "auto" ? new EitherStorage(new KeyringStorage(openKeyring(options), path, warn), file, warn) : file;
}

/** A file that only its owner may read. */
export class FileStorage implements AuthStorage {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  stamp(): string | null {
    const stat = statSync(this.#path, { throwIfNoEntry: false });
    return stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : null;
  }

  read(): string | null {
    try {
      return readFileSync(this.#path, "utf8");
    } catch {
      return null;
    }
  }

  write(text: string): void {
    writePrivate(this.#path, text);
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}

/** Lost when the server ends. */
class MemoryStorage implements AuthStorage {
  #text: string | null = null;
  #changes = 0;

  stamp(): string | null {
    return this.#text === null ? null : `${this.#changes}`;
  }

  read(): string | null {
    return this.#text;
  }

  write(text: string): void {
    this.#text = text;
    this.#changes++;
  }

  remove(): void {
    this.#text = null;
  }
}

/** The system's keyring. Read once, since each access starts a process; later this process knows its content. */
class KeyringStorage implements AuthStorage {
  readonly #keyring: Keyring;
  readonly #file: string;
  readonly #warn: AuthStorageOptions["warn"];
  readonly #known = new MemoryStorage();
  #asked = false;

  constructor(keyring: Keyring, file: string, warn: AuthStorageOptions["warn"]) {
    this.#keyring = keyring;
    this.#file = file;
    this.#warn = warn;
  }

  stamp(): string | null {
    this.#ask();
    return this.#known.stamp();
  }

  read(): string | null {
    this.#ask();
    return this.#known.read();
  }

  write(text: string): void {
    this.#keyring.set(text);
    this.#asked = true;
    this.#known.write(text);
    // A login of before stays nowhere in the clear.
    rmSync(this.#file, { force: true });
  }

  remove(): void {
    this.#keyring.delete();
    this.#known.remove();
    rmSync(this.#file, { force: true });
  }

  #ask(): void {
    if (this.#asked) return;
    this.#asked = true;
    try {
      const text = this.#keyring.get();
      if (text !== null) this.#known.write(text);
    } catch (error) {
      this.#warn("a login in the keyring cannot be read", error);
    }
  }
}

/** The keyring if there is one, else the file. */
class EitherStorage implements AuthStorage {
  readonly #keyring: AuthStorage;
  readonly #file: AuthStorage;
  readonly #warn: AuthStorageOptions["warn"];

  constructor(keyring: AuthStorage, file: AuthStorage, warn: AuthStorageOptions["warn"]) {
    this.#keyring = keyring;
    this.#file = file;
    this.#warn = warn;
  }

  stamp(): string | null {
    return this.#keyring.stamp() ?? this.#file.stamp();
  }

  read(): string | null {
    return this.#keyring.read() ?? this.#file.read();
  }

  write(text: string): void {
    try {
      this.#keyring.write(text);
    } catch (error) {
      this.#warn("the login is kept in a file that only its owner may read, not in the keyring", error);
      this.#file.write(text);
    }
  }

  remove(): void {
    // An unreachable keyring holds nothing that this server has read, which leaves the file.
    const held = this.#keyring.stamp() !== null;
    try {
      this.#keyring.remove();
    } catch (error) {
      if (held) throw error;
    }
    this.#file.remove();
  }
}
