import { type Architecture, architectures } from "./system-calls.ts";

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

// Offsets in what the kernel shows a filter: the call's number, the architecture, the lower halves of the arguments.
const callNumber = 0;
const architecture = 4;
const argument = (index: number) => 16 + 8 * index;

const load = 0x20;
const and = 0x54;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const jumpIfAnySet = 0x45;
const give = 0x06;

const allow: Instruction = [give, 0, 0, 0x7fff0000];
const notPermitted: Instruction = [give, 0, 0, 0x00050001];
/** The answer of a kernel without the call: programs then do without. */
const notThere: Instruction = [give, 0, 0, 0x00050026];

/** Marks calls of the x32 ABI, which would pass as others. */
const x32Bit = 0x40000000;
/**
 * Socket families and their protocols. Neither unix nor vsock, which no network namespace confines. For IPv4 and IPv6
 * the usual ones (ICMP, TCP, UDP, UDP-Lite, MPTCP); others would only load kernel modules. For netlink, interfaces and
 * sockets.
 */
const inet = [0, 1, 6, 17, 58, 136, 262];
const families: readonly (readonly [family: number, protocols: readonly number[]])[] = [
  [2, inet],
  [10, inet],
  [16, [0, 4]],
];
/** Calls that type (`TIOCSTI`) or paste (`TIOCLINUX`) into a terminal as its user. */
const typing = [0x5412, 0x541c];
/** Stream and sequenced packets. A datagram socket of a pair can be connected to any socket's path. */
const pairTypes = [1, 5];
const typeBits = 0xf;
/** Every namespace flag of `clone` and `unshare`. */
const namespaces = 0x7e020000;
const timeNamespace = 0x80;
/** The setuid and setgid bits. (`mkdir` ignores them: a folder inherits its group.) */
const setuid = 0o6000;
/** `O_CREAT` and `O_TMPFILE`: without them the mode is ignored and may hold anything. */
const creates = 0x400040;

/**
 * A classic BPF program that refuses what a read-only file system and an empty network do not: unix sockets (reachable
 * wherever their file is visible), setuid programs, namespaces, and calls that only widen the surface. `undefined` for
 * an unknown processor.
 */
export function seccompProgram(arch: string): Uint8Array | undefined {
  const known = architectures[arch];
  return known && encode(programFor(known));
}

function programFor({ audit, calls, refused }: Architecture): Instruction[] {
  return [
    [load, 0, 0, architecture],
    [jumpIfEqual, 1, 0, audit],
    notPermitted,
    [load, 0, 0, callNumber],
    [jumpIfAtLeast, 0, 1, x32Bit],
    notPermitted,
    ...refused.flatMap((call) => on(call, [notPermitted])),
    // Their flags are in memory, where a filter cannot look.
    ...on(calls.clone3, [notThere]),
    ...on(calls.openat2, [notThere]),
    ...on(calls.socket, [
      [load, 0, 0, argument(0)],
      ...families.flatMap(([family, protocols]) => on(family, onlyIf(2, protocols))),
      notPermitted,
    ]),
    ...on(calls.ioctl, unlessOneOf(1, typing)),
    ...on(calls.socketpair, onlyIf(1, pairTypes, typeBits)),
    ...on(calls.clone, unlessSet(0, namespaces)),
    ...on(calls.unshare, unlessSet(0, namespaces | timeNamespace)),
    ...on(calls.chmod, unlessSet(1, setuid)),
    ...on(calls.fchmod, unlessSet(1, setuid)),
    ...on(calls.fchmodat, unlessSet(2, setuid)),
    ...on(calls.fchmodat2, unlessSet(2, setuid)),
    ...on(calls.creat, unlessSet(1, setuid)),
    ...on(calls.mknod, unlessSet(1, setuid)),
    ...on(calls.mknodat, unlessSet(2, setuid)),
    ...on(calls.open, unlessCreatedSetuid(1)),
    ...on(calls.openat, unlessCreatedSetuid(2)),
    allow,
  ];
}

/** The instructions for one call or loaded value; they must end with an answer. Empty for a missing call. */
function on(call: number | undefined, then: readonly Instruction[]): Instruction[] {
  return call === undefined ? [] : [[jumpIfEqual, 0, then.length, call], ...then];
}

/** Allows the call when the argument, or some of its bits, has one of the values. */
function onlyIf(index: number, values: readonly number[], bits = 0xffffffff): Instruction[] {
  const jumps = values.map((value, n): Instruction => [jumpIfEqual, values.length - n, 0, value]);
  return [[load, 0, 0, argument(index)], [and, 0, 0, bits], ...jumps, notPermitted, allow];
}

function unlessOneOf(index: number, values: readonly number[]): Instruction[] {
  const jumps = values.map((value, n): Instruction => [jumpIfEqual, values.length - n, 0, value]);
  return [[load, 0, 0, argument(index)], ...jumps, allow, notPermitted];
}

function unlessSet(index: number, bits: number): Instruction[] {
  return [[load, 0, 0, argument(index)], [jumpIfAnySet, 0, 1, bits], notPermitted, allow];
}

/** Allows the call unless it creates a setuid file; the mode follows the flags. */
function unlessCreatedSetuid(flags: number): Instruction[] {
  return [[load, 0, 0, argument(flags)], [jumpIfAnySet, 0, 3, creates], ...unlessSet(flags + 1, setuid)];
}

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
