/** The kernel's numbers of processors. */
const machines: ReadonlyMap<string, number> = new Map(Object.entries<number>({ x64: 62, arm64: 183 }));

const base = 0x400000n;
const headBytes = 64;
const segmentBytes = 56;
const codeAt = headBytes + 2 * segmentBytes;

/** A program of one segment, which is read and executed and never written. `undefined` for a processor not known here. */
export function elfProgram(arch: string, code: Uint8Array): Uint8Array | undefined {
  const machine = machines.get(arch);
  if (machine === undefined) return undefined;
  const bytes = new Uint8Array(codeAt + code.length);
  const view = new DataView(bytes.buffer);
  const size = BigInt(bytes.length);
  // 64 bits, little endian, version 1.
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  view.setUint16(16, 2, true); // an executable
  view.setUint16(18, machine, true);
  view.setUint32(20, 1, true);
  view.setBigUint64(24, base + BigInt(codeAt), true); // where it begins
  view.setBigUint64(32, BigInt(headBytes), true); // where its segments are listed
  view.setUint16(52, headBytes, true);
  view.setUint16(54, segmentBytes, true);
  view.setUint16(56, 2, true);
  // The whole file, readable and executable.
  segment(view, headBytes, { type: 1, flags: 5, size });
  // A stack that is not executed.
  segment(view, headBytes + segmentBytes, { type: 0x6474e551, flags: 6, size: 0n });
  bytes.set(code, codeAt);
  return bytes;
}

function segment(view: DataView, at: number, { type, flags, size }: { type: number; flags: number; size: bigint }) {
  const address = size > 0n ? base : 0n;
  view.setUint32(at, type, true);
  view.setUint32(at + 4, flags, true);
  view.setBigUint64(at + 16, address, true);
  view.setBigUint64(at + 24, address, true);
  view.setBigUint64(at + 32, size, true);
  view.setBigUint64(at + 40, size, true);
  view.setBigUint64(at + 48, 0x1000n * 16n, true); // pages of 64 KiB at most
}
