import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CodexClient } from "@quire/client";
import { codexVersion } from "@quire/protocol/version";
import {
  codexConfigToml,
  mockResponses,
  type RealCodex,
  type RecordedRequest,
  realCodex,
  reply,
  tempDir,
} from "@quire/testkit";

/** Which app-server does the work. */
export type ServerKind = "quire" | "codex";

/** A line that the orchestrator printed. */
export interface PrintedEvent {
  readonly type: string;
  readonly issue_identifier?: string;
  readonly outcome?: string;
}

/** An orchestrator process. */
interface RunningOrchestrator {
  readonly pid: number;
  readonly events: readonly PrintedEvent[];
  /** The exit code, or null where a signal ended it. */
  readonly ended: Promise<number | null>;
  kill(): void;
  /** All that it printed, for messages of failed tests. */
  output(): string;
}

/** A backlog with all that works on it: a folder tracker, a scripted model, a server of either kind. */
export interface BacklogStage extends AsyncDisposable {
  readonly model: Awaited<ReturnType<typeof mockResponses>>;
  /** `NAME=value` in the environment of all that is started here. */
  readonly tag: string;
  readonly issues: string;
  readonly workspaces: string;
  start(): RunningOrchestrator;
  /** An issue's file. */
  text(identifier: string): string;
  /** Identifiers in the order in which runs were begun, one for each run. */
  begun(): string[];
}

const quire = join(import.meta.dirname, "..", "..", "..", "cli", "bin", "quire");

/** What the agent says of an issue when it is done with it. */
export const doneBy = (identifier: string): string => `Finished by the agent of ${identifier}.`;

/** Makes a stage with so many issues, of which five are worked on at once. */
export async function backlogStage(kind: ServerKind, count: number): Promise<BacklogStage> {
  const dir = await tempDir("quire-backlog-");
  const [issues, workspaces, home] = ["issues", "workspaces", "home"].map((name) => join(dir.path, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [issues, home]) await mkdir(folder);
  for (let number = 1; number <= count; number++) {
    const priority = (number % 4) + 1;
    await writeFile(
      join(issues, `E2E-${number}.md`),
      `---\ntitle: Task ${number}\nstate: Todo\npriority: ${priority}\n---\n\nDo it.\n`,
    );
  }
  const model = await mockResponses({ fallback: answer });
  const codex = kind === "codex" ? await realCodex(codexVersion, { model }) : undefined;
  if (codex !== undefined) await warmUp(codex);
  if (codex === undefined) await writeFile(join(home, "config.toml"), codexConfigToml({ baseUrl: model.url }));
  const command = codex === undefined ? "quire app-server" : `'${codex.command}' app-server`;
  await writeFile(join(dir.path, "WORKFLOW.md"), workflow(command, join(dir.path, "begun.log")));
  const tagValue = dir.path;
  // Workers are started by a login shell. What the developer's own profile does in it is not ours to kill: some tools
  // take locks there, which would then stay.
  const env = { ...process.env, HOME: home, ...codex?.env, QUIRE_HOME: home, QUIRE_E2E: tagValue };

  return {
    model,
    tag: `QUIRE_E2E=${tagValue}`,
    issues,
    workspaces,
    start: () => start(dir.path, env),
    text: (identifier) => readFileSync(join(issues, `${identifier}.md`), "utf8"),
    begun() {
      const file = join(dir.path, "begun.log");
      return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    },
    async [Symbol.asyncDispose]() {
      await codex?.[Symbol.asyncDispose]();
      await model.close();
      await dir.remove();
    },
  };
}

/** Several Codex that start at once in a new home get into each other's way, and all but one give up. */
async function warmUp({ command, args, env, cwd }: RealCodex): Promise<void> {
  const client = await CodexClient.spawn({ command: [command, ...args], env, cwd });
  await client.close();
}

/** The files of a folder that are not hidden. */
export function visible(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
}

/** A hook notes each run as it begins; a line that short is written whole. */
function workflow(command: string, begun: string): string {
  return `---
tracker: { kind: folder }
polling: { interval_ms: 500 }
workspace: { root: workspaces }
hooks:
  before_run: 'echo "$QUIRE_ISSUE_IDENTIFIER" >> "${begun}"'
agent: { max_concurrent_agents: 5, max_retry_backoff_ms: 1000 }
codex:
  command: ${JSON.stringify(command)}
  approval_policy: never
  # Real processes on a busy machine take their time.
  read_timeout_ms: 60000
---
You work on {{ issue.identifier }}: {{ issue.title }}.
`;
}

/** Calls the tracker's tool once, and says so when it has been answered. */
function answer(request: RecordedRequest) {
  if (request.functionOutputs().length > 0) return reply().text("That was all.");
  const [, identifier = "nothing"] = /You work on (E2E-\d+):/.exec(request.inputText("user")) ?? [];
  const input = { state: "Done", comment: doneBy(identifier) };
  return reply().functionCall("tracker_update", input, { callId: `call-${identifier}` });
}

function start(cwd: string, env: NodeJS.ProcessEnv): RunningOrchestrator {
  const child = spawn(quire, ["orchestrate", "--once"], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const events: PrintedEvent[] = [];
  let output = "";
  let rest = "";
  child.stderr.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    events.push(...lines.map((line) => JSON.parse(line) as PrintedEvent));
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code));
  });
  return { pid: child.pid ?? 0, events, ended, kill: () => child.kill("SIGKILL"), output: () => output };
}
