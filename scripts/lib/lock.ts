/** The part of `package-lock.json` that these scripts use. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

/** A package in the lock file, by its path. */
export interface LockEntry {
  readonly name?: string;
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const systems = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const processors = ["arm", "arm64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64"];
const libraries: Readonly<Record<string, string>> = {
  musl: "musl",
  gnu: "glibc",
  musleabihf: "musl",
  gnueabihf: "glibc",
};

/** The optional packages that a locked package names and the lock does not hold, as entries to add. */
export function missingOptional({ packages }: Lock): [path: string, entry: LockEntry][] {
  const missing = new Map<string, LockEntry>();
  for (const [parent, entry] of Object.entries(packages)) {
    for (const [name, spec] of Object.entries(entry.optionalDependencies ?? {})) {
      const path = `node_modules/${name}`;
      const nested = `${parent}/${path}`;
      if (!(path in packages) && !(nested in packages)) missing.set(path, entryFor(name, spec, entry.dev === true));
    }
  }
  return [...missing];
}

/** @param spec An exact version, or an alias such as `npm:@openai/codex@1.2.3-linux-x64`. */
function entryFor(name: string, spec: string, dev: boolean): LockEntry {
  const alias = /^npm:(.+)@([^@]+)$/.exec(spec);
  const words = (alias?.[2] ?? name).replace(/^.*\//, "").split(/[-.]/);
  const known = (list: readonly string[]) => list.filter((each) => words.includes(each));
  const os = known(systems);
  const cpu = known(processors);
  const libc = words.flatMap((word) => (os.includes("linux") ? (libraries[word] ?? []) : []));
  return {
    ...(alias?.[1] !== undefined && { name: alias[1] }),
    version: (alias?.[2] ?? spec).replace(/^[\^~]/, ""),
    ...(cpu.length > 0 && { cpu }),
    ...(dev && { dev }),
    ...(libc.length > 0 && { libc }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
}
