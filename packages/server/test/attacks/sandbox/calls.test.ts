/** Attacks: system calls, from within the sandbox. */
import { readFileSync } from "node:fs";
import { type Attempt, testAttempts } from "../support/attempt.ts";

const arm = process.arch === "arm64";

/** A perl script for one line of a shell. */
const perl = (script: string) => [`perl -e '${script}'`];
const said = (_: unknown, output: string) => output.includes("escaped");

/** Says so where a call gives a number that is no error. */
const gives = (call: string) => perl(`my $n = ${call}; print "escaped\n" if $n >= 0`);

/** Opens a socket. */
const opens = (family: number, type: number, protocol: number) =>
  perl(`print "escaped\n" if socket(my $s, ${family}, ${type}, ${protocol})`);

const withNetwork = { policy: { networkAccess: true } };
/** Chosen by nobody else. */
const shared = 0x51753100 + (process.pid & 0xff);

const attempts: readonly Attempt[] = [
  {
    name: "leaves a key in a keyring that outlives the command",
    // Takes it away again where it could: 9 is to unlink, -4 the keyring of the user.
    scripts: perl(
      `my ($t, $d, $p) = ("user", "quire-attack", "x"); my $k = syscall(${arm ? 217 : 248}, $t, $d, $p, 1, -4); print "escaped\n" if $k > 0; syscall(${arm ? 219 : 250}, 9, $k, -4) if $k > 0`,
    ),
    escaped: said,
  },
  {
    name: "opens userfaultfd, to stop the kernel in the middle of a call",
    scripts: gives(`syscall(${arm ? 282 : 323}, 1)`),
    escaped: said,
  },
  {
    name: "takes a descriptor out of another process",
    scripts: gives(
      `do { pipe(my $r, my $w); my $c = fork // die; if (!$c) { sleep 5; exit } my $f = syscall(434, $c, 0); my $g = syscall(438, $f, fileno($r), 0); kill 9, $c; $g }`,
    ),
    escaped: said,
  },
  {
    name: "loads a map of its own into the kernel by bpf",
    asRoot: true,
    scripts: gives(`do { my $a = pack("L4x112", 2, 4, 4, 1); syscall(${arm ? 280 : 321}, 0, $a, 128) }`),
    escaped: said,
  },
  {
    name: "opens a file by its handle, which no path leads to",
    asRoot: true,
    prepare: ({ base }) => ({ SECRET: `${base}/outside/file` }),
    scripts: gives(
      `do { my $h = pack("Ll", 128, 0) . "\\0" x 128; my $m = "\\0" x 4; my $p = $ENV{SECRET}; syscall(${arm ? 264 : 303}, -100, $p, $h, $m, 0); open(my $d, "<", "/") or die; syscall(${arm ? 265 : 304}, fileno($d), $h, 0) }`,
    ),
    escaped: said,
  },
  {
    name: "takes a copy of a mount, to change it",
    asRoot: true,
    scripts: gives(`do { my $p = "/"; syscall(428, -100, $p, 1) }`),
    escaped: said,
  },
  {
    name: "makes the system writable again by the newest call of mounts",
    asRoot: true,
    scripts: gives(`do { my $p = "/"; my $a = pack("Q4", 0, 1, 0, 0); syscall(442, -100, $p, 0, $a, 32) }`),
    escaped: said,
  },
  {
    name: "opens a file system by the newer calls",
    asRoot: true,
    scripts: gives(`do { my $t = "tmpfs"; syscall(430, $t, 0) }`),
    escaped: said,
  },
  {
    name: "counts what the processor does for others by perf",
    asRoot: true,
    scripts: gives(`do { my $a = pack("L2Qx112", 1, 128, 0); syscall(${arm ? 241 : 298}, $a, -1, 0, -1, 0) }`),
    escaped: said,
  },
  {
    name: "sees every packet by a socket of the link",
    ...withNetwork,
    asRoot: true,
    scripts: opens(17, 3, 0x0300),
    escaped: said,
  },
  {
    name: "hears of every device by the kernel's events",
    ...withNetwork,
    scripts: opens(16, 3, 15),
    escaped: said,
  },
  {
    name: "talks to the kernel's parts by generic netlink",
    ...withNetwork,
    scripts: opens(16, 3, 16),
    escaped: said,
  },
  {
    name: "makes packets of its own by a raw socket",
    ...withNetwork,
    asRoot: true,
    scripts: opens(2, 3, 255),
    escaped: said,
  },
  {
    name: "types on a terminal as though its user had",
    asRoot: true,
    scripts: perl(
      `use Fcntl; sysopen(my $m, "/dev/ptmx", O_RDWR | O_NOCTTY) or die; my ($n, $z, $x) = (pack("i", 0), pack("i", 0), "x"); ioctl($m, 0x40045431, $z); ioctl($m, 0x80045430, $n); sysopen(my $t, "/dev/pts/" . unpack("i", $n), O_RDWR | O_NOCTTY) or die; print "escaped\n" if ioctl($t, 0x5412, $x)`,
    ),
    escaped: said,
  },
  {
    name: "leaves something in the shared memory of System V",
    scripts: perl(`my $n = shmget(${shared}, 4096, 01600); print "made\n" if defined $n`),
    escaped: () => readFileSync("/proc/sysvipc/shm", "utf8").includes(String(shared)),
    cleanUp: () => void Bun.spawnSync(["ipcrm", "-M", String(shared)]),
  },
  {
    name: "leaves a message in a queue of System V",
    scripts: perl(`my $n = msgget(${shared}, 01600); print "made\n" if defined $n`),
    escaped: () => readFileSync("/proc/sysvipc/msg", "utf8").includes(String(shared)),
    cleanUp: () => void Bun.spawnSync(["ipcrm", "-Q", String(shared)]),
  },
];

testAttempts(attempts);
