/**
 * Folders of the server that open files by themselves, and why they may. All others, new ones included, may meet files
 * that a model, a repository or a client has written.
 */
export const unguarded: Readonly<Record<string, string>> = {
  account: "keeps the login in the server's home",
  doctor: "looks at the machine and the server's home for the person who asks",
  "exec-server": "does what an app-server asks for with any path, in its name and in the sandbox that it asks for",
  files: "does what a client asks for with any path, in the client's name",
  listen: "keeps sockets and reads the tokens that the command line names",
  "run/process": "looks at programs, processes and descriptors",
  "shared-store": "keeps copies of rollouts in the server's home, by names that it has checked",
  "user-state": "keeps a database in the server's home",
  "workspace-files": "is what the others use",
};

/** Functions that only look at paths and open nothing. Folders whose work is about paths may use them. */
const looking: ReadonlySet<string> = new Set(
  "accessSync constants existsSync lstatSync readlinkSync realpathSync statSync realpath stat".split(" "),
);
const lookingFolders: readonly string[] = [
  ...["approval", "config", "git", "model/ai-sdk", "processors", "run/sandbox", "search", "store", "trust"],
];

/** Files in them that open what they open by themselves, and why. New ones use `workspace-files`. */
export const exempt: Readonly<Record<string, string>> = {
  "context/remote-control-status.ts": "keeps an id in the server's home",
  "features/telemetry/send.ts": "reads certificates that the user's own config names",
  "features/telemetry/send-by-grpc.ts": "reads certificates that the user's own config names",
  "lib/local-time.ts": "asks a database in memory for the local time",
  "lib/private-file.ts": "keeps the server's own files in its home",
  "lib/process-start.ts": "reads what the kernel says of a process",
  "lib/stat-if-exists.ts": "looks at a path and opens nothing",
  "lib/temporary-folder.ts": "makes folders in the server's home",
  "processors/cloud-only.ts": "removes memories in the server's home",
  "processors/feedback.ts": "writes a new file where the client says; reads by workspace-files",
  "processors/fs.ts": "writes what a client asks for, in the client's name",
  "approval/programs/judge-repository.ts": "lists names in a git folder, and reads no file",
  "approval/rules/rule-book.ts": "keeps rules in the server's home",
  "config/trust/find-config-folders.ts": "lists names, and follows no link",
  "config/trust/script-file.ts": "hashes by descriptor, piece by piece, and follows no link",
  "config/trust/trust-records.ts": "keeps records in the server's home",
  "config/write-config.ts": "writes the user's own config; a project's lies where no command writes",
  "features/external-agent/imports-file.ts": "keeps a file in the server's home",
  "features/external-agent/write-imports.ts": "writes to the user's own folders; in a project by pinned folders",
  "git/safe-view.ts": "writes to a new folder of its own",
  "run/helpers/fit-image.ts": "writes to its standard output",
  "features/hooks/fit-output.ts": "writes to a new folder of its own",
  "plugins/add-marketplace.ts": "keeps clones in the server's home",
  "plugins/contents.ts": "hashes an installed plugin in the server's home",
  "plugins/check-out.ts": "removes a clone in the server's home",
  "plugins/install.ts": "keeps plugins in the server's home",
  "plugins/installed.ts": "lists plugins in the server's home",
  "plugins/unpack-package.ts": "unpacks in the server's home",
  "plugins/unpack-archive.ts": "unpacks in the server's home",
  "prompt/environment-context.ts": "reads the system's time zone",
  "run/sandbox/entry/identity.ts": "tells folders apart by a descriptor that cannot read",
  "run/sandbox/hold-links.ts": "puts back a link that a command replaced, in its own place",
  "run/sandbox/hold-placeholders.ts": "makes and removes placeholders, by descriptor",
  "run/sandbox/home-file.ts": "keeps programs in the server's home",
  "run/sandbox/network/proxy.ts": "keeps a socket in the server's home",
  "run/sandbox/placeholder-journal.ts": "keeps notes in the server's home",
  "search/lister.ts": "lists names for a search, and reads no file",
  "store/compress-rollouts.ts": "keeps rollouts in the server's home",
  "store/file-rollout.ts": "makes rollouts in the server's home; opens others by workspace-files",
  "store/index/index-database.ts": "keeps the index in the server's home",
  "store/move-thread.ts": "moves rollouts within the server's home",
  "store/name-file.ts": "keeps names in the server's home",
  "store/private-database.ts": "keeps databases in the server's home",
  "store/rollout-bytes.ts": "works on a descriptor that workspace-files opened",
  "store/read-last-turns.ts": "reads a descriptor that workspace-files has opened",
  "store/rollout-files.ts": "lists rollouts in the server's home",
  "store/sweep-dead.ts": "lists locks in the server's home",
  "turn/costs/cost-ledger.ts": "keeps what was spent in the server's home",
  "store/unpack-bounded.ts": "has a child write to its standard output",
  "store/writer-lock.ts": "keeps locks in the server's home",
};

const importsAll =
  /(?:import\(|require\(|getBuiltinModule\()\s*["'](?:node:)?fs(?:\/promises)?["']|\bBun\.(?:file|write)\b|\{[^{}]*\b(?:file|write)\b[^{}]*\}\s*=\s*Bun\b|\bnew Database\(/;
const importsSome = /(?:import|export)\s+([^;]*?)\s+from\s*["'](?:node:)?fs(?:\/promises)?["']/g;

/** Sources, by path below the server's `src`, that open files past `workspace-files`, and exemptions that are not needed. */
export function fileAccessViolations(files: ReadonlyMap<string, string>): string[] {
  const own = [...files].filter(([path]) => !Object.keys(unguarded).some((folder) => path.startsWith(`${folder}/`)));
  const found = own.filter(([path, text]) => opens(path, text)).map(([path]) => path);
  return [
    ...found
      .filter((path) => !Object.hasOwn(exempt, path))
      .map((path) => `${path} opens files by itself: use workspace-files, which follows no link out of its root`),
    ...Object.keys(exempt)
      .filter((path) => files.has(path) && !found.includes(path))
      .map((path) => `${path} needs no exemption any more: remove it from test/lib/file-access.ts`),
  ];
}

function opens(path: string, text: string): boolean {
  if (importsAll.test(text)) return true;
  return [...text.matchAll(importsSome)].some(([, names = ""]) => !isHarmless(names, path));
}

/** True for an import of types, or of functions that only look if that is allowed. */
function isHarmless(names: string, path: string): boolean {
  if (/^type\s/.test(names)) return true;
  const list = /^\{([^}]*)\}$/
    .exec(names)?.[1]
    ?.split(",")
    .map((name) => name.trim());
  if (list === undefined) return false;
  const values = list.filter((name) => name !== "" && !name.startsWith("type "));
  const mayLook = lookingFolders.some((folder) => path.startsWith(`${folder}/`));
  return values.every((name) => mayLook && looking.has(name));
}
