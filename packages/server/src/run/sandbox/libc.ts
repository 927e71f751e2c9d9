import { dlopen, FFIType } from "bun:ffi";

/** The functions of libc that the sandbox needs and the runtime lacks. */
export interface Libc {
  /** Locks or unlocks an open file; 0 on success. */
  flock(descriptor: number, operation: number): number;
  /** The kernel's Landlock version; 0 or less for none. */
  landlockVersion(): number;
}

/** The same number on every processor. */
const landlockCreateRuleset = 444;
const versionFlag = 1;

const libraries = ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`];

let known: Libc | null | undefined;

/** The library; `undefined` where there is none that is known here. */
export function libc(): Libc | undefined {
  known ??= open() ?? null;
  return known ?? undefined;
}

function open(): Libc | undefined {
  if (process.platform !== "linux") return undefined;
  const { i32, i64 } = FFIType;
  for (const library of libraries) {
    try {
      const { symbols } = dlopen(library, {
        flock: { args: [i32, i32], returns: i32 },
        syscall: { args: [i64, i64, i64, i64], returns: i64 },
      });
      return {
        flock: (descriptor, operation) => symbols.flock(descriptor, operation),
        landlockVersion: () => Number(symbols.syscall(landlockCreateRuleset, 0, 0, versionFlag)),
      };
    } catch {
      // Another libc, then.
    }
  }
  return undefined;
}
