/** What a program may do to files, as Landlock numbers it. Reading and executing are not held back here. */
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
  /** To move or link from one folder to another. Version 2. */
  refer: 1 << 13,
  /** Version 3. */
  truncate: 1 << 14,
} as const;

/** To reach unix sockets that have no file, and to signal, beyond the sandbox. Version 6. */
const scopes = 0b11;

/** In earlier ones nothing could be moved from one folder to another. */
const leastVersion = 2;

/** What the entry program tells the kernel: what is held back, and what is given back in the folders of the policy. */
export interface Ruleset {
  readonly handled: number;
  readonly scoped: number;
  readonly inFolder: number;
  readonly ofFile: number;
}

/** All that a version of Landlock can hold back of what the sandbox forbids; `undefined` where that is too little. */
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
