/** Landlock's rights over files. Reading and executing are not restricted here. */
const rights = {
  writeFile: 1 << 1,
  removeFolder: 1 << 4,
  removeFile: 1 << 5,
  makeCharacterDevice: 1 << 6,
  makeFolder: 1 << 7,
  makeFile: 1 << 8,
  makeSocket: 1 << 9,
  makePipe: 1 << 10,
  makeBlockDevice: 1 << 11,
  makeLink: 1 << 12,
  /** Moving or linking between folders. Version 2. */
  refer: 1 << 13,
  /** Version 3. */
  truncate: 1 << 14,
} as const;

/** Unix sockets without a file, and signals, beyond the sandbox. Version 6. */
const scopes = 0b11;

/** Earlier versions allow no moves between folders. */
const leastVersion = 2;

/** The entry program's instructions to the kernel: restrictions, and exceptions for the policy's folders. */
export interface Ruleset {
  readonly handled: number;
  readonly scoped: number;
  readonly inFolder: number;
  readonly ofFile: number;
}

/** The restrictions that a version of Landlock supports; `undefined` when that is too little. */
export function rulesetOf(version: number): Ruleset | undefined {
  if (version < leastVersion) return undefined;
  const { truncate, makeCharacterDevice, makeBlockDevice, writeFile } = rights;
  const all = Object.values(rights).reduce((sum, right) => sum | right, 0);
  const handled = version < 3 ? all & ~truncate : all;
  return {
    handled,
    // The network is not among it: an empty one has a loopback, on which tests start their servers.
    scoped: version < 6 ? 0 : scopes,
    inFolder: handled & ~(makeCharacterDevice | makeBlockDevice),
    ofFile: handled & (writeFile | truncate),
  };
}

/** The numbers as the entry program has them behind its code. */
export function rulesetBytes({ handled, scoped, inFolder, ofFile }: Ruleset): Uint8Array {
  return new Uint8Array(BigUint64Array.of(...[handled, 0, scoped, inFolder, ofFile].map(BigInt)).buffer);
}
