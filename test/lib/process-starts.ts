/**
 * Files of the server and the orchestrator that start programs by themselves, and how each keeps a repository from having
 * one of its own started. All others go through them.
 */
export const starters: Readonly<Record<string, string>> = {
  "packages/server/src/account/keyring.ts": "the system's keyring, in a folder of the system, with few variables",
  "packages/server/src/doctor/machine-checks.ts": "asks a program that was vetted for its version",
  "packages/server/src/lib/process-start.ts": "asks the system's own ps, by its path",
  "packages/server/src/run/helpers/run-helper.ts": "helpers: confined, limited, in a folder of the system",
  "packages/server/src/run/process/guarded-child.ts": "commands, hooks and MCP servers, each in what its action says",
  "packages/server/src/run/sandbox/entry/find-entry.ts": "tries the entry of the sandbox, which lies in the home",
  "packages/server/src/run/sandbox/find-bubblewrap.ts": "tries a bubblewrap that no command can have written",
  "packages/server/src/run/sandbox/network/bridge.ts": "the command, within its sandbox",
  "packages/server/src/store/unpack-bounded.ts": "unpacks, confined as a helper is",
  "packages/orchestrator/src/executor/ssh-connection.ts": "ssh to the machines of an agreed workflow",
  "packages/orchestrator/src/scheduler/orphans.ts": "asks the system's own ps",
  "packages/orchestrator/src/trackers/beads/bd.ts": "the tracker's program, of an agreed workflow",
  "packages/orchestrator/src/workspace/run-hook.ts": "hooks of an agreed workflow",
  "packages/orchestrator/src/workspace/safe-git.ts": "git, with nothing of a repository's configuration",
};

const starts =
  /\bBun\.(?:spawn|spawnSync|\$)\s*\(|\bBun\.\$`|\{[^{}]*\b(?:spawn|spawnSync|\$)\b[^{}]*\}\s*=\s*Bun\b|(?:from|import\(|require\(|getBuiltinModule\()\s*["'](?:node:)?(?:child_process|cluster|worker_threads)["']|\bnew Worker\(|\{[^{}]*\$[^{}]*\}\s*from\s*["']bun["']/;
const typesOnly = /import type [^;]*? from ["']node:child_process["'];?/g;

/** Sources, by path, that start programs past the files above, and entries above that are not needed any more. */
export function processStartViolations(files: ReadonlyMap<string, string>): string[] {
  const found = [...files].filter(([, text]) => starts.test(withoutComments(text))).map(([path]) => path);
  return [
    ...found
      .filter((path) => !Object.hasOwn(starters, path))
      .map((path) => `${path} starts programs by itself: use run/helpers, run/process or safe-git`),
    ...Object.keys(starters)
      .filter((path) => files.has(path) && !found.includes(path))
      .map((path) => `${path} starts no programs any more: remove it from test/lib/process-starts.ts`),
  ];
}

const withoutComments = (text: string): string =>
  text.replace(typesOnly, "").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
