/** Calls judged by their arguments. Calls that a processor lacks are left out. */
interface Calls {
  readonly socket: number;
  readonly ioctl: number;
  readonly socketpair: number;
  readonly clone: number;
  readonly clone3: number;
  readonly unshare: number;
  readonly chmod?: number;
  readonly fchmod: number;
  readonly fchmodat: number;
  readonly fchmodat2: number;
  readonly creat?: number;
  readonly mknod?: number;
  readonly mknodat: number;
  readonly open?: number;
  readonly openat: number;
  readonly openat2: number;
}

/** A processor, as the kernel names it to filters, and the numbers of its system calls. */
export interface Architecture {
  readonly audit: number;
  readonly calls: Calls;
  readonly refused: readonly number[];
}

/** Newer calls have one number everywhere: io_uring (opens sockets past the filter), mounts, descriptors of others. */
const everywhere = [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 467];

/**
 * Also refused: keyrings, bpf, userfaultfd, perf, kexec, modules, mounts, other namespaces, file handles (reach files
 * without a path), swap, accounting, reboot.
 */
export const architectures: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    calls: {
      socket: 41,
      ioctl: 16,
      socketpair: 53,
      clone: 56,
      clone3: 435,
      unshare: 272,
      chmod: 90,
      fchmod: 91,
      fchmodat: 268,
      fchmodat2: 452,
      creat: 85,
      mknod: 133,
      mknodat: 259,
      open: 2,
      openat: 257,
      openat2: 437,
    },
    refused: [
      ...everywhere,
      248,
      249,
      250,
      321,
      323,
      298,
      246,
      320,
      175,
      313,
      176,
      165,
      166,
      155,
      308,
      304,
      167,
      168,
      163,
      169,
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    calls: {
      socket: 198,
      ioctl: 29,
      socketpair: 199,
      clone: 220,
      clone3: 435,
      unshare: 97,
      fchmod: 52,
      fchmodat: 53,
      fchmodat2: 452,
      mknodat: 33,
      openat: 56,
      openat2: 437,
    },
    refused: [
      ...everywhere,
      217,
      218,
      219,
      280,
      282,
      241,
      104,
      294,
      105,
      273,
      106,
      40,
      39,
      41,
      268,
      265,
      224,
      225,
      89,
      142,
    ],
  },
};
