import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { canonicalJson, isTable } from "../../lib/table.ts";
import { loadedWords } from "./loaded-words.ts";

/** A file that a program runs. */
export interface Script {
  readonly hash: string;
  /** Words that may name further files. */
  readonly loads: readonly string[];
}

interface Known extends Script {
  readonly stamp: string;
}

/** Larger programs are not read, and so not trusted. */
const maxBytes = 512 << 20;
/** Larger files were built by a machine, from the files they would load. */
const maxScannedBytes = 256 << 10;
/** A change within a file system's tick is invisible: younger files are read again. */
const settledMs = 2000;
const maxKnown = 1000;
const known = new Map<string, Known>();

/** Reads a regular file, once; `undefined` where there is none to be read. Remembered until the file changes. */
export function readScript(path: string): Script | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(file, { bigint: true });
    if (!stat.isFile() || stat.size > maxBytes) return undefined;
    const stamp = `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
    const before = known.get(path);
    if (before?.stamp === stamp) return before;
    const script = scriptOf(file, basename(path));
    if (Date.now() - Number(stat.ctimeNs / 1_000_000n) > settledMs) {
      if (known.size >= maxKnown) known.clear();
      known.set(path, { stamp, ...script });
    }
    return script;
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** The name of a content. */
export function contentHash(content: string | Uint8Array): string {
  return `${prefix}${new Bun.CryptoHasher("sha256").update(content).digest("hex")}`;
}

const prefix = "sha256:";

function scriptOf(file: number, name: string): Script {
  const hasher = new Bun.CryptoHasher("sha256");
  const scanned: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(1 << 16);
    const length = readSync(file, chunk, 0, chunk.length, null);
    if (length === 0) break;
    hasher.update(chunk.subarray(0, length));
    size += length;
    if (size <= maxScannedBytes) scanned.push(chunk.subarray(0, length));
  }
  const whole = `${prefix}${hasher.digest("hex")}`;
  if (size > maxScannedBytes) return { hash: whole, loads: [] };
  const bytes = Buffer.concat(scanned);
  // A compiled program.
  if (bytes.includes(0)) return { hash: whole, loads: [] };
  const scripts = name === "package.json" ? packageScripts(bytes.toString()) : undefined;
  if (scripts === undefined) return { hash: whole, loads: loadedWords(bytes.toString()) };
  return {
    hash: contentHash(canonicalJson(scripts)),
    loads: loadedWords(Object.values(scripts).join("\n")),
  };
}

/** The scripts of a `package.json`, the only part that counts, so that a new dependency is no change. */
function packageScripts(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isTable(value)) return undefined;
    return isTable(value.scripts) ? value.scripts : {};
  } catch {
    return undefined;
  }
}
