import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Table } from "../lib/table.ts";
import { ConfigError } from "./config-error.ts";
import { readText } from "./config-files.ts";
import { versionOf } from "./layers.ts";
import { editToml } from "./toml/edit-toml.ts";
import { parseToml } from "./toml/toml.ts";

/** A change of the user's config file. */
interface ConfigChange {
  readonly keyPath: readonly string[];
  /** `null` removes the key. */
  readonly value: unknown;
  /** True to merge a table into the existing one. */
  readonly merge: boolean;
}

/** Changes to write. */
export interface ConfigWrite {
  readonly edits: readonly ConfigChange[];
  /** The version that the writer has read; another one in the file is a {@link ConfigConflict}. */
  readonly expectedVersion?: string | null | undefined;
  /** Throws for values that cannot be used. */
  check?(values: Table): void;
}

/** The user's config file. */
export interface UserConfig {
  readonly path: string;
  readonly text: string;
  readonly values: Table;
  readonly version: string;
}

/** Somebody else has written meanwhile. */
export class ConfigConflict extends Error {
  override readonly name = "ConfigConflict";
}

/** Reads the user's file; without one, it is empty. */
export function userConfig(home: string): UserConfig {
  const path = join(home, "config.toml");
  const text = userText(path);
  const values = parseToml(text, path);
  return { path, text, values, version: versionOf(values) };
}

/** Attempts when somebody else writes at the same time. */
const maxAttempts = 10;

/** Changes the user's config file: all edits or none. Comments and order stay, and so does what others write meanwhile. */
export function writeConfig(home: string, { edits, expectedVersion, check }: ConfigWrite): UserConfig {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const before = userConfig(home);
    if (expectedVersion && expectedVersion !== before.version) throw new ConfigConflict(conflict);
    const text = editToml(
      before.text,
      edits.map(({ keyPath, ...change }) => ({ ...change, path: keyPath })),
    );
    const values = parseToml(text, before.path);
    check?.(values);
    const isCurrent = () => userText(before.path) === before.text;
    if (text === before.text || replaceFile(before.path, text, isCurrent))
      return { path: before.path, text, values, version: versionOf(values) };
  }
  throw new ConfigConflict(conflict);
}

const conflict = "Configuration was modified since last read. Fetch latest version and retry.";

const userText = (path: string): string => (statSync(path, { throwIfNoEntry: false })?.isFile() ? readText(path) : "");

/** Replaces a file atomically and keeps a link. Returns false when the content is no longer current. */
function replaceFile(path: string, text: string, isCurrent: () => boolean): boolean {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const old = statSync(path, { throwIfNoEntry: false });
  const target = old ? realpathSync(path) : path;
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: old?.mode ?? 0o600 });
    // As late as possible: only a write between this and the next line could be lost.
    const current = isCurrent();
    if (current) renameSync(temporary, target);
    else rmSync(temporary);
    return current;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new ConfigError(
      `${path} cannot be written: ${(error as Error).message}. Check that its folder may be written.`,
    );
  }
}
