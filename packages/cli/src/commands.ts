import type { CommandLine } from "./args/command-line.ts";
import { programName } from "./args/program-name.ts";
import { UsageError } from "./args/usage-error.ts";

type Command = (args: readonly string[]) => Promise<number>;

/** Commands by name, each loaded on first use. */
const commands: ReadonlyMap<string, () => Promise<Command>> = new Map(
  Object.entries<() => Promise<Command>>({
    "app-server": async () => (await import("./commands/app-server.ts")).appServer,
    up: async () => (await import("./commands/up.ts")).up,
    run: async () => (await import("./commands/run.ts")).run,
    orchestrate: async () => (await import("./commands/orchestrate.ts")).orchestrate,
    worktree: async () => (await import("./commands/worktree.ts")).worktree,
    threads: async () => (await import("./commands/threads.ts")).threads,
    trust: async () => (await import("./commands/trust.ts")).trust,
    doctor: async () => (await import("./commands/doctor.ts")).doctor,
    acp: async () => (await import("./commands/acp.ts")).acp,
    models: async () => (await import("./commands/models.ts")).models,
    providers: async () => (await import("./commands/providers.ts")).providers,
    store: async () => (await import("./commands/store.ts")).store,
    fleet: async () => (await import("./commands/fleet.ts")).fleet,
    exec: async () => (await import("./codex/exec.ts")).exec,
    e: async () => (await import("./codex/exec.ts")).exec,
    review: async () => (await import("./codex/review.ts")).review,
    login: async () => (await import("./codex/login.ts")).login,
    logout: async () => (await import("./codex/login.ts")).logout,
    mcp: async () => (await import("./codex/mcp.ts")).mcp,
    features: async () => (await import("./codex/features.ts")).features,
    debug: async () => (await import("./codex/debug.ts")).debug,
    "exec-server": async () => (await import("./codex/exec-server.ts")).execServer,
    "mcp-server": async () => (await import("./codex/mcp-server.ts")).mcpServer,
    apply: async () => (await import("./codex/apply.ts")).apply,
    a: async () => (await import("./codex/apply.ts")).apply,
    sandbox: async () => (await import("./codex/sandbox.ts")).sandbox,
    completion: async () => {
      const { completion } = await import("./codex/completion.ts");
      return (args) => completion(args, [...commands.keys()]);
    },
  }),
);

/** Commands that take options before their name as their own. */
const takesOptionsBefore: ReadonlySet<string> = new Set(["exec", "e", "review"]);

/** Runs a command and returns the exit code: 2 for a wrong command line, 1 for what failed. */
export async function runCommand({ name, args, before }: CommandLine): Promise<number> {
  try {
    if (name === "--version" || name === "-V") return (await import("./commands/version.ts")).version();
    // `quire help run` is `quire run --help`.
    const [asked, ...rest] = args;
    if (name === "help" && asked !== undefined && !asked.startsWith("-"))
      return await runCommand({ name: asked, args: [...rest, "--help"], before });
    if (name === undefined && programName === "codex") return (await import("./codex/refused.ts")).refuse(name);
    if (name === undefined || name === "help" || name === "--help" || name === "-h") {
      return (await import("./commands/help.ts")).help(name === undefined);
    }
    const load = commands.has(name) ? commands.get(name) : undefined;
    if (!load) return await noSuchCommand(name);
    return await (await load())(takesOptionsBefore.has(name) ? [...before, ...args] : args);
  } catch (error) {
    const { terminalText } = await import("./lib/terminal-text.ts");
    if (error instanceof UsageError) {
      process.stderr.write(
        `error: ${terminalText(error.message, { prose: true })}\n\nFor more information, try '--help'.\n`,
      );
      return 2;
    }
    process.stderr.write(
      `Error: ${terminalText(error instanceof Error ? error.message : String(error), { prose: true })}\n`,
    );
    if (process.env.QUIRE_LOG === "debug" && error instanceof Error)
      process.stderr.write(`${terminalText(String(error.stack), { prose: true })}\n`);
    return 1;
  }
}

async function noSuchCommand(name: string): Promise<number> {
  const { isRefused, refuse } = await import("./codex/refused.ts");
  // Any other word is a prompt for Codex's terminal UI.
  if (isRefused(name) || (programName === "codex" && !name.startsWith("-"))) return refuse(name);
  const { nearest } = await import("./args/nearest.ts");
  const like = nearest(name, [...commands.keys(), "--version", "--help"]);
  const tip = like === undefined ? "" : `\n\n  tip: a similar command exists: '${like}'`;
  const kind = name.startsWith("-") ? "unexpected argument" : "unrecognized command";
  throw new UsageError(`${kind} '${name}'${tip}`);
}
