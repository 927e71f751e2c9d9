/** A processor, as the kernel names it to filters, and the numbers of its system calls. */
interface Architecture {
  readonly audit: number;
  readonly socket: number;
  /** Calls that a sandboxed program has no business with. */
  readonly refused: readonly number[];
}

/**
 * io_uring (opens sockets past the filter), keyrings, bpf, userfaultfd, perf, kexec, modules, mounts of every kind, other
 * namespaces, descriptors of other processes, file handles (reach files that no path leads to), swap, accounting, reboot.
 */
const architectures: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    socket: 41,
    refused: [
      425, 426, 427, 248, 249, 250, 321, 323, 298, 246, 320, 175, 313, 176, 165, 166, 155, 428, 429, 430, 431, 432, 433,
      442, 308, 438, 304, 167, 168, 163, 169,
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    socket: 198,
    refused: [
      425, 426, 427, 217, 218, 219, 280, 282, 241, 104, 294, 105, 273, 106, 40, 39, 41, 428, 429, 430, 431, 432, 433,
      442, 268, 438, 265, 224, 225, 89, 142,
    ],
  },
};

// Offsets in what the kernel shows a filter: the call's number, the architecture, the first argument's lower half.
const callNumber = 0;
const architecture = 4;
const firstArgument = 16;

const load = 0x20;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const give = 0x06;
const allow = 0x7fff0000;
const notPermitted = 0x00050001;
/** Calls of the x32 ABI carry this bit; they would pass as others. */
const x32Bit = 0x40000000;
const unixFamily = 1;

/**
 * A classic BPF program that refuses what a read-only file system and an empty network do not: unix sockets (a socket file
 * can be connected to wherever it can be seen) and calls that only widen the surface. Pairs of connected sockets, which
 * need no file, are allowed. `undefined` for a processor whose numbers are not known here.
 */
export function seccompProgram(arch: string): Uint8Array | undefined {
  const known = architectures[arch];
  if (known === undefined) return undefined;
  const { audit, socket, refused } = known;
  const checks = refused.length;
  // Jumps are counted from the next instruction. After the checks: socket's check (3), then allow, then refuse.
  const program: Instruction[] = [
    [load, 0, 0, architecture],
    [jumpIfEqual, 1, 0, audit],
    [give, 0, 0, notPermitted],
    [load, 0, 0, callNumber],
    [jumpIfAtLeast, checks + 4, 0, x32Bit],
    ...refused.map((number, index): Instruction => [jumpIfEqual, checks - index + 3, 0, number]),
    [jumpIfEqual, 0, 2, socket],
    [load, 0, 0, firstArgument],
    [jumpIfEqual, 1, 0, unixFamily],
    [give, 0, 0, allow],
    [give, 0, 0, notPermitted],
  ];
  return encode(program);
}

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(program.length * 8));
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.setUint16(index * 8, code, true);
    bytes.setUint8(index * 8 + 2, ifTrue);
    bytes.setUint8(index * 8 + 3, ifFalse);
    bytes.setUint32(index * 8 + 4, value, true);
  }
  return new Uint8Array(bytes.buffer);
}
