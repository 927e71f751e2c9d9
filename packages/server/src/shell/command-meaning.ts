import { operands } from "./operands.ts";

/** The meaning of one command. */
export type Meaning =
  | { readonly type: "read"; readonly path: string }
  | { readonly type: "listFiles"; readonly path: string | null }
  | { readonly type: "search"; readonly query: string | null; readonly path: string | null };

type Reader = (args: readonly string[]) => Meaning | undefined;

/** The meaning of a command of literal words; `undefined` when it is unknown. */
export function meaningOf(words: readonly string[]): Meaning | undefined {
  const [name = "", ...args] = words;
  return readers.has(name) ? readers.get(name)?.(args) : undefined;
}

const readers: ReadonlyMap<string, Reader> = new Map(
  Object.entries<Reader>({
    cat: reading([]),
    bat: reading([
      "--theme",
      "--language",
      "-l",
      "--style",
      "--terminal-width",
      "--tabs",
      "--line-range",
      "-r",
      "--map-syntax",
    ]),
    batcat: reading(["--theme", "--language", "-l", "--style", "--terminal-width", "--tabs", "--line-range", "-r"]),
    less: reading(["-p", "-P", "-x", "-y", "-z", "-j", "--pattern", "--prompt", "--tabs", "--shift", "--jump-target"]),
    more: reading([]),
    head: (args) => firstLines(args, /^\d+$/),
    tail: (args) => firstLines(args, /^\+?\d+$/),
    nl: (args) => read(operands(args, ["-s", "-w", "-v", "-i", "-b"])[0]),
    sed: sedRead,
    awk: (args) => {
      const [first, second, ...more] = operands(args, ["-F", "-v", "-f", "--field-separator", "--assign", "--file"]);
      // A program in a file leaves only files as operands.
      if (args.includes("-f")) return second === undefined ? read(first) : undefined;
      return more.length === 0 ? read(second) : undefined;
    },
    ls: listing(["-I", "-w", "--block-size", "--format", "--time-style", "--color", "--quoting-style"]),
    eza: listing(["-I", "--ignore-glob", "--color", "--sort", "--time-style", "--time"]),
    exa: listing(["-I", "--ignore-glob", "--color", "--sort", "--time-style", "--time"]),
    tree: listing(["-L", "-P", "-I", "--charset", "--filelimit", "--sort"]),
    du: listing(["-d", "--max-depth", "-B", "--block-size", "--exclude", "--time-style"]),
    find: findFiles,
    fd: fdFiles,
    rg: ripgrep,
    rga: ripgrep,
    "ripgrep-all": ripgrep,
    grep: searching(["-A", "-B", "-C", "-m", "--context", "--max-count", "--after-context", "--before-context"]),
    egrep: searching(["-A", "-B", "-C", "-m", "--context", "--max-count", "--after-context", "--before-context"]),
    fgrep: searching(["-A", "-B", "-C", "-m", "--context", "--max-count", "--after-context", "--before-context"]),
    ag: searching(["-G", "-g", "--ignore-dir", "--ignore", "-A", "-B", "-C", "-m", "--depth"]),
    ack: searching(["--ignore-dir", "--ignore-file", "--type", "-A", "-B", "-C", "-m"]),
    pt: searching(["-G", "-g", "--ignore", "-A", "-B", "-C", "-m", "--depth"]),
    git: ([command, ...args]) =>
      command !== undefined && gitReaders.has(command) ? gitReaders.get(command)?.(args) : undefined,
    python: pythonListing,
    python3: pythonListing,
  }),
);

const gitReaders: ReadonlyMap<string, Reader> = new Map(
  Object.entries<Reader>({
    grep: searching(["-A", "-B", "-C", "-m", "-O", "--max-depth", "--threads"]),
    "ls-files": listing(["--exclude", "--exclude-from", "--exclude-per-directory", "-x", "-X"]),
  }),
);

/** Reads one file: with several it is not clear which to show. */
function reading(valued: readonly string[]): Reader {
  return (args) => {
    const [file, ...more] = operands(args, valued);
    return more.length === 0 ? read(file) : undefined;
  };
}

function read(path: string | undefined): Meaning | undefined {
  return path === undefined || path === "-" ? undefined : { type: "read", path };
}

function firstLines(args: readonly string[], lines: RegExp): Meaning | undefined {
  const [first = "", second = "", third] = args;
  if (first === "-n" && lines.test(second)) return read(third);
  if (first.startsWith("-n") && lines.test(first.slice(2))) return read(args[1]);
  return args.length === 1 && !first.startsWith("-") ? read(first) : undefined;
}

function sedRead(args: readonly string[]): Meaning | undefined {
  if (!args.includes("-n") || args.some((word) => /^(-i|--in-place)/.test(word))) return undefined;
  const byOption = args.indexOf("-e");
  const rest = operands(args, ["-e", "-f"]);
  const script = byOption >= 0 ? args[byOption + 1] : rest.shift();
  return /^\d+(,\d+)?p$/.test(script ?? "") ? read(rest[0]) : undefined;
}

function listing(valued: readonly string[]): Reader {
  return (args) => ({ type: "listFiles", path: operands(args, valued)[0] ?? null });
}

function searching(valued: readonly string[]): Reader {
  return (args) => {
    const { patterns, rest } = takePatterns(args);
    const found = [...patterns.slice(0, 1), ...operands(rest, valued)];
    return { type: "search", query: found[0] ?? null, path: found[1] ?? null };
  };
}

/** A pattern given by an option replaces the first operand. */
function takePatterns(args: readonly string[]): { patterns: string[]; rest: string[] } {
  const patterns: string[] = [];
  const rest: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as string;
    if (word === "--") return { patterns, rest: [...rest, ...args.slice(at)] };
    if (["-e", "--regexp", "-f", "--file"].includes(word) && at + 1 < args.length) patterns.push(args[++at] as string);
    else rest.push(word);
  }
  return { patterns, rest };
}

const ripgrepValued = [
  ...[
    "-g",
    "--glob",
    "--iglob",
    "-t",
    "--type",
    "-T",
    "--type-not",
    "--type-add",
    "-A",
    "-B",
    "-C",
    "-m",
    "-j",
    "-d",
    "-M",
  ],
  ...["--context", "--after-context", "--before-context", "--max-count", "--max-depth", "--max-columns", "--threads"],
  ...["--sort", "--sortr", "--color", "--colors", "--encoding", "-E", "-r", "--replace", "--ignore-file", "--engine"],
];

function ripgrep(args: readonly string[]): Meaning | undefined {
  return (args.includes("--files") ? listing : searching)(ripgrepValued)(args);
}

function fdFiles(args: readonly string[]): Meaning {
  const valued = [
    "-t",
    "--type",
    "-e",
    "--extension",
    "-E",
    "--exclude",
    "--search-path",
    "-d",
    "--max-depth",
    "-S",
    "--size",
  ];
  const [query, path = null] = operands(args, valued);
  return query === undefined ? { type: "listFiles", path: null } : { type: "search", query, path };
}

/** Options that make `find` do more than find. */
const findEffects = /^-(exec|execdir|ok|okdir|delete|fls|fprint0?|fprintf)$/;

function findFiles(args: readonly string[]): Meaning | undefined {
  if (args.some((word) => findEffects.test(word))) return undefined;
  const path = args.find((word) => !/^[-!(),]/.test(word)) === args[0] ? (args[0] ?? null) : null;
  const test = args.findIndex((word) => ["-name", "-iname", "-path", "-regex"].includes(word));
  const query = test < 0 ? undefined : args[test + 1];
  return query === undefined ? { type: "listFiles", path } : { type: "search", query, path };
}

function pythonListing(args: readonly string[]): Meaning | undefined {
  const program = args[0] === "-c" ? (args[1] ?? "") : "";
  const lists = /\bos\.(walk|listdir|scandir)\b|\bglob\.i?glob\b|\.(iterdir|rglob)\(/.test(program);
  const writes =
    /\bopen\(|\bwrite|\bremove\(|\bunlink\(|\brename\(|\brmdir\(|\bshutil\b|\bsubprocess\b|\bsystem\(/.test(program);
  return lists && !writes ? { type: "listFiles", path: null } : undefined;
}
