import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";

/** Longest file that is read: a token is short. */
const maxBytes = 1024;

/**
 * The token of this home's pages, the same at every start, so that browsers stay signed in. It is in a file that only
 * its owner can read, in the home, which confined commands do not see. Undefined where the home takes no file: then
 * each start has a token of its own. `renew` makes a new one, which signs all browsers out.
 */
export function keptToken(home: string, { renew = false }: { readonly renew?: boolean } = {}): string | undefined {
  const path = join(home, "page-token");
  const kept = renew ? undefined : readKept(path);
  if (kept !== undefined) return kept;
  const token = randomBytes(32).toString("base64url");
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    // A new file, so that neither the rights nor the target of one that is there count.
    writeFileSync(draft, `${token}\n`, { mode: 0o600, flag: "wx" });
    renameSync(draft, path);
    return token;
  } catch {
    return undefined;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The token in a file that is this user's alone; undefined for any other file. */
function readKept(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    const { uid, mode, size } = fstatSync(file);
    const isOurs = process.getuid === undefined || uid === process.getuid();
    if (!isOurs || (mode & 0o077) !== 0 || size > maxBytes) return undefined;
    const token = readFileSync(file, "utf8").trim();
    return /^[\w-]{43}$/.test(token) ? token : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
