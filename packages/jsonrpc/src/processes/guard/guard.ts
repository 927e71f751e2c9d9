import { writeSync } from "node:fs";
import process from "node:process";
import { elfProgram } from "./elf.ts";
import { machineCode } from "./machine-code.ts";

/** As much of Bun as is used here. */
interface BunRuntime {
  readonly FFI: {
    dlopen(
      library: string,
      symbols: object,
    ): { readonly symbols: { memfd_create(name: Uint8Array, flags: number): number } };
  };
  which(
    program: string,
    options: { readonly PATH?: string | undefined; readonly cwd?: string | undefined },
  ): string | null;
  spawnSync(
    argv: readonly string[],
    options: { readonly stdio: readonly ["ignore", "ignore", "ignore"] },
  ): {
    readonly exitCode: number | null;
  };
}

/** A program to run under a guard. */
export interface GuardedRun {
  readonly argv: readonly string[];
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * After the end of the program itself: `report` writes its wait status (32 bits) to descriptor 3 and leaves the others
   * alone until the guard ends them; `exit` ends them, and then as the program has ended.
   */
  readonly ending: "report" | "exit";
}

/** SIGSTKFLT, which nothing else sends. Bun knows it only by its number. */
const endSignal = 16;

/** Shown in lists of processes. */
export const guardName = "quire-guard";

const libraries = ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`];
/** `MFD_CLOEXEC`, with and without `MFD_EXEC`, which older kernels do not know. */
const memoryFlags = [0x11, 1];
const tryCode = 7;

let path: string | null | undefined;

/**
 * The words that run a program under a guard: a parent of 1 KB that ends it, and every process that descends from it, when
 * this process is gone, however it went. They are for a child of this very process, in a session of its own. `undefined`
 * where there is no guard (another system than Linux, another runtime than Bun), and for a program that is not there.
 */
export function guarded({ argv: [name = "", ...args], cwd, env, ending }: GuardedRun): string[] | undefined {
  const { Bun: bun } = globalThis as { Bun?: BunRuntime };
  if (!bun || process.platform !== "linux") return undefined;
  const program = bun.which(name, { PATH: env.PATH, cwd });
  if (program === null) return undefined;
  path ??= findGuard(bun) ?? null;
  return path === null ? undefined : [path, ...guardWords(ending), program, name, ...args];
}

const guardWords = (ending: GuardedRun["ending"]): string[] => [`${process.pid}${ending === "exit" ? "e" : ""}`];

/** Ends everything below a guard, and with it the guard. Does not wait. */
export function endGuarded(guard: number): void {
  try {
    process.kill(guard, endSignal);
  } catch {
    // Gone already.
  }
}

/** In memory, where no other program can replace it. */
function findGuard(bun: BunRuntime): string | undefined {
  const code = machineCode[process.arch];
  const program = code === undefined ? undefined : elfProgram(process.arch, Buffer.from(code, "base64"));
  const descriptor = program === undefined ? undefined : openMemory(bun);
  if (program === undefined || descriptor === undefined) return undefined;
  const found = `/proc/self/fd/${descriptor}`;
  try {
    writeSync(descriptor, program);
    const script = ["/bin/sh", "sh", "-c", `exit ${tryCode}`];
    const { exitCode } = bun.spawnSync([found, ...guardWords("exit"), ...script], {
      stdio: ["ignore", "ignore", "ignore"],
    });
    return exitCode === tryCode ? found : undefined;
  } catch {
    // The system does not execute it.
    return undefined;
  }
}

function openMemory(bun: BunRuntime): number | undefined {
  for (const library of libraries) {
    try {
      const { symbols } = bun.FFI.dlopen(library, { memfd_create: { args: ["ptr", "u32"], returns: "i32" } });
      const name = Buffer.from(`${guardName}\0`);
      return memoryFlags.map((flags) => symbols.memfd_create(name, flags)).find((descriptor) => descriptor >= 0);
    } catch {
      // Another libc, then.
    }
  }
  return undefined;
}
