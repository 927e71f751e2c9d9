import { dlopen, FFIType, ptr } from "bun:ffi";

/** The two ends of a pipe, as descriptors. The caller closes both. */
export interface Pipe {
  readonly read: number;
  readonly write: number;
}

/** Linux's `O_CLOEXEC`. */
const closeOnExec = 0o2000000;

const libraries = [
  "libc.so.6",
  `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`,
  "libSystem.B.dylib",
];

let open: ((ends: Int32Array) => number) | null | undefined;

/**
 * Opens a system pipe; `undefined` where there is none. The runtime's "pipes" are sockets: a command cannot open
 * `/dev/stdout` on one, bash takes one on stdin for a remote login and reads its start-up file, and the order of output
 * and error output is lost.
 */
export function openPipe(): Pipe | undefined {
  open ??= findPipe() ?? null;
  const ends = new Int32Array(2);
  if (open === null || open(ends) !== 0) return undefined;
  return { read: ends[0] as number, write: ends[1] as number };
}

function findPipe(): ((ends: Int32Array) => number) | undefined {
  for (const library of libraries) {
    try {
      if (process.platform === "linux") {
        const { symbols } = dlopen(library, { pipe2: { args: [FFIType.ptr, FFIType.i32], returns: FFIType.i32 } });
        return (ends) => symbols.pipe2(ptr(ends), closeOnExec);
      }
      const { symbols } = dlopen(library, { pipe: { args: [FFIType.ptr], returns: FFIType.i32 } });
      return (ends) => symbols.pipe(ptr(ends));
    } catch {
      // Another libc, then.
    }
  }
  return undefined;
}
