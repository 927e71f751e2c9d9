import { accessSync, constants, existsSync, mkdtempSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { errorMessage } from "../lib/error-message.ts";
import { quireVersion } from "../lib/version.ts";
import { findProgram } from "../run/process/find-program.ts";
import { ownPath } from "../run/process/own-path.ts";
import { findShell } from "../run/process/shells.ts";
import { findEntry } from "../run/sandbox/entry/find-entry.ts";
import { findBubblewrap } from "../run/sandbox/find-bubblewrap.ts";
import type { DoctorOptions } from "./doctor-options.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/** Free space at which threads may soon, or can, no longer be stored. */
const lowDiskBytes = 5 * 1024 ** 3;
const noDiskBytes = 100 * 1024 ** 2;
const leastBun = "1.4.0";

/** The program and its runtime. */
export function checkVersion(): Finding {
  const message = `quire ${quireVersion}, Bun ${Bun.version}, ${process.platform}-${process.arch}`;
  return Bun.semver.order(Bun.version, leastBun) < 0
    ? warning(message, `Bun ${leastBun} or later is needed: npm install brings it`)
    : ok(message);
}

/** Checks that only this user can use the home. */
export function checkHome({ home }: DoctorOptions): Finding {
  if (!existsSync(home)) return checkParent(home);
  const stat = statSync(home);
  if (!stat.isDirectory()) return failed(`${home} is no folder`, "remove it, or set QUIRE_HOME to another one");
  try {
    accessSync(home, constants.R_OK | constants.W_OK);
  } catch {
    return failed(`${home} cannot be read and written`, `chown or chmod it, or set QUIRE_HOME to another one`);
  }
  const open = (stat.mode & 0o022) !== 0 && process.platform !== "win32";
  return open ? warning(`${home} can be written by others`, `chmod go-w ${home}`) : ok(home);
}

/** Checks that a missing home can be made. */
function checkParent(home: string): Finding {
  const parent = nearestExisting(home);
  const remedy = "set QUIRE_HOME to a folder that you may make";
  if (!statSync(parent).isDirectory()) return failed(`${home} cannot be made: ${parent} is no folder`, remedy);
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
  } catch {
    return failed(`${home} cannot be made: ${parent} cannot be written`, remedy);
  }
  return ok(`${home} will be made`);
}

function nearestExisting(path: string): string {
  let there = path;
  while (!existsSync(there) && there !== dirname(there)) there = dirname(there);
  return there;
}

/** Checks the free space. */
export function checkDisk({ home }: DoctorOptions): Finding {
  const { bavail, bsize } = statfsSync(nearestExisting(home));
  const free = bavail * bsize;
  const message = `${(free / 1024 ** 3).toFixed(1)} GiB free`;
  const remedy = `make room where ${home} is`;
  if (free < noDiskBytes) return failed(message, remedy);
  return free < lowDiskBytes ? warning(message, remedy) : ok(message);
}

/** The shell that commands run in. */
export function checkShell(): Finding {
  return ok(findShell());
}

/** Git, which threads take their branch from. */
export function checkGit({ env }: DoctorOptions): Finding {
  const path = findProgram("git", ownPath(env.PATH, process.cwd()), [process.cwd()]);
  if (path === undefined)
    return warning("git was not found", "install it: threads do without branch and diff until then");
  const { stdout, exitCode } = Bun.spawnSync([path, "--version"], { env: { ...env }, stderr: "ignore" });
  const said = stdout.toString().trim();
  return exitCode === 0 ? ok(`${path}, ${said}`) : failed(`${path} --version gave ${exitCode}`, "install git anew");
}

/** Checks, by trying, that commands can be confined. */
export function checkSandbox({ env }: DoctorOptions): Finding {
  const remedy = 'install bubblewrap, or choose sandbox_mode = "danger-full-access" where that is safe';
  if (process.platform === "darwin") {
    const path = "/usr/bin/sandbox-exec";
    return existsSync(path) ? ok(path) : warning(`${path} was not found`, remedy);
  }
  try {
    const { path } = findBubblewrap(env.PATH, []);
    const second = hasLandlock(path) ? ", backed by Landlock" : "; without Landlock, which this kernel does not offer";
    return ok(`${path}, and it works${second}`);
  } catch (error) {
    return warning(errorMessage(error), remedy);
  }
}

/** Tries it in a separate folder: a doctor writes nothing to the home. */
function hasLandlock(bubblewrap: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), "quire-doctor-"));
  try {
    return findEntry(folder, bubblewrap)?.landlock === true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Checks that questions can be asked. */
export function checkTerminal({ env }: DoctorOptions): Finding {
  if (!process.stdin.isTTY) return ok("none: quire run answers questions with no");
  const term = env.TERM ?? "";
  if (term === "" || term === "dumb") return warning(`TERM is ${term || "not set"}`, "set it, as to xterm-256color");
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "";
  return /utf-?8/i.test(locale)
    ? ok(`${term}, ${process.stdout.columns ?? "?"} columns, ${locale}`)
    : warning(`${term}, and the locale is ${locale || "not set"}`, "set LANG to one with UTF-8, such as C.UTF-8");
}
