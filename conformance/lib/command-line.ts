import { spawn } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";

/** Options of a command line. */
export interface CommandOptions {
  /** Text to pipe in. Default: nothing, from a stdin that is at its end. */
  readonly stdin?: string;
  /** True if what goes to stderr is not compared: it is for people, and worded differently. */
  readonly ignoreStderr?: boolean;
}

/** Output and exit code of a command line. */
export interface CommandOutput {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly home: string;
}

/** Time that a command may take. */
const limitMs = 60_000;

/** Runs a command to its end, through a link named `codex` where it has another name. */
export function runCommandLine(line: CommandLine, { stdin }: CommandOptions): Promise<CommandOutput> {
  const { command, args, env, cwd, home } = line;
  const child = spawn(named(command, home), [...args], { cwd, env, stdio: ["pipe", "pipe", "pipe"], timeout: limitMs });
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (data) => {
      stdout += data;
    });
    child.stderr.on("data", (data) => {
      stderr += data;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
    child.stdin.on("error", () => undefined);
    child.stdin.end(stdin ?? "");
  });
}

function named(command: string, home: string): string {
  if (basename(command) === "codex") return command;
  const bin = join(home, "..", "bin");
  const link = join(bin, "codex");
  mkdirSync(bin, { recursive: true });
  if (!existsSync(link)) symlinkSync(command, link);
  return link;
}

/** The output in pieces that can be compared, each with a name. */
export function observedOutput({ stdout, stderr }: CommandOutput, options: CommandOptions): [string, unknown][] {
  const lines = stdout.trimEnd().split("\n");
  const isEvents = lines[0]?.startsWith('{"type":') ?? false;
  const said: [string, unknown][] = isEvents
    ? lines.map((text) => {
        const event = JSON.parse(text) as { type: string; item?: { type: string } };
        return [event.item ? `${event.type} ${event.item.type}` : event.type, event];
      })
    : [["stdout", stdout]];
  return options.ignoreStderr ? said : [...said, ["stderr", comparable(stderr)]];
}

/** Without what differs by design or by chance: who prints it, how long a command took, lines of the log. */
function comparable(stderr: string): string {
  return (
    stderr
      .replace(/^(OpenAI Codex v|Quire v).*$/m, "<banner>")
      .replace(/ in \d+ms:/g, " in <n>ms:")
      // Diffs name files from the nearest .git, which may be above the temporary folder.
      .replace(/(?<=[ab]\/)\S*workspace\//g, "")
      .replace(/^.*(ERROR|WARN) codex_.*\n/gm, "")
      .replace(/^WARNING: proceeding.*\n/gm, "")
  );
}
