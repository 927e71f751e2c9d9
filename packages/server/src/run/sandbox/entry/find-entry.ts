import { spawnSync } from "node:child_process";
import { elfProgram } from "@quire/jsonrpc/processes";
import { homeFile } from "../home-file.ts";
import { libc } from "../libc.ts";
import { seccompFilter } from "../seccomp-file.ts";
import { identityOf } from "./identity.ts";
import { rulesetBytes, rulesetOf } from "./landlock.ts";
import { machineCode } from "./machine-code.ts";

/** The program that starts sandboxed commands; see entry-x64.s. */
export interface Entry {
  readonly path: string;
  /** True when the kernel has Landlock, a second barrier against writes. */
  readonly landlock: boolean;
}

const tried = new Map<string, boolean>();
let contents: { readonly program: Uint8Array; readonly landlock: boolean } | null | undefined;

/**
 * Finds the program in the server's home and tries it once. `undefined` when it cannot be used: a shell replaces it.
 */
export function findEntry(home: string, bubblewrap: string): Entry | undefined {
  contents ??= make() ?? null;
  if (contents === null) return undefined;
  const { program, landlock } = contents;
  const path = homeFile({ home, name: "entry", mode: 0o700 }, program);
  const works = tried.get(path) ?? tryOut({ path, landlock }, home, bubblewrap);
  tried.set(path, works);
  return works ? { path, landlock } : undefined;
}

function make(): { program: Uint8Array; landlock: boolean } | undefined {
  const code = machineCode[process.arch];
  if (code === undefined) return undefined;
  const ruleset = rulesetOf(libc()?.landlockVersion() ?? 0);
  const data = rulesetBytes(ruleset ?? { handled: 0, scoped: 0, inFolder: 0, ofFile: 0 });
  const program = elfProgram(process.arch, Buffer.concat([Buffer.from(code, "base64"), data]));
  return program && { program, landlock: ruleset !== undefined };
}

/** The words that start bubblewrap through the entry program. */
export function outerArguments({ path }: Entry, home: string): string[] {
  return [path, "o", seccompFilter(home), path];
}

/** The words that start the command inside. Writable folders are passed to Landlock by path and identity. */
export function innerArguments({ landlock }: Entry, writable: readonly string[]): string[] {
  const rules = landlock ? ["c", ...writable.flatMap((path) => [identityOf(path), path]), "-", "/dev", ""] : ["p"];
  return ["/proc/self/fd/8", ...rules, "/usr/bin/env", "--"];
}

function tryOut(entry: Entry, home: string, bubblewrap: string): boolean {
  const code = 7;
  const [program = "", ...outer] = outerArguments(entry, home);
  const walls = ["--unshare-pid", "--as-pid-1", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"];
  const inner = [...innerArguments(entry, []), "/bin/sh", "-c", `exit ${code}`];
  const { status } = spawnSync(program, [...outer, bubblewrap, ...walls, "--seccomp", "9", "--", ...inner], {
    env: {},
    stdio: "ignore",
  });
  return status === code;
}
