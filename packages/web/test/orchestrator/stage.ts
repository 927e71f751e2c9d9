import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { assertNoProcesses, tempDir } from "@quire/testkit";
import type { Page } from "playwright-core";
import { launchBrowser } from "../support/browser.ts";

const quire = join(import.meta.dirname, "..", "..", "..", "cli", "bin", "quire");

/** A backlog with an orchestrator, a gateway that was told of it, and a browser. */
export interface OrchestratorStage extends AsyncDisposable {
  readonly page: Page;
  /** The orchestrator's own address. */
  readonly api: string;
  /** Changes an issue's state, as a person would. */
  move(identifier: string, state: string): void;
  stopOrchestrator(): Promise<void>;
  startOrchestrator(): Promise<void>;
}

/** Issues by identifier: what their descriptions ask the offline model for. */
export type Backlog = Readonly<Record<string, string>>;

const offline = 'quire app-server -c model_provider="offline"';

/** How a stage differs from the usual one. */
export interface StageOptions {
  /** Command of the app-server. */
  readonly command?: string;
  /** Sections of the workflow besides `polling`, `workspace` and `codex`. */
  readonly settings?: string;
  readonly approvals?: "untrusted" | "never";
  /** Called with the stage's folder before anything is started. */
  readonly prepare?: (folder: string) => void;
}

/** Starts it all; the page shows the orchestrator's route. */
export async function orchestratorStage(backlog: Backlog, options: StageOptions = {}): Promise<OrchestratorStage> {
  const { command = offline, settings = "tracker: { kind: folder }", approvals = "untrusted", prepare } = options;
  const dir = await tempDir("quire-web-orchestrator-");
  const env = { ...process.env, HOME: dir.path, QUIRE_HOME: join(dir.path, "home"), QUIRE_WEB_TEST: dir.path };
  const tag = `QUIRE_WEB_TEST=${dir.path}`;
  mkdirSync(join(dir.path, "issues"));
  for (const [identifier, text] of Object.entries(backlog)) {
    writeFileSync(issuePath(identifier), `---\ntitle: Title of ${identifier}\nstate: Todo\n---\n\n${text}\n`);
  }
  writeFileSync(join(dir.path, "WORKFLOW.md"), workflow({ command, settings, approvals }));
  prepare?.(dir.path);
  const children: ChildProcess[] = [];
  let orchestrator: ChildProcess;
  let port = 0;

  function issuePath(identifier: string): string {
    return join(dir.path, "issues", `${identifier}.md`);
  }

  async function start(args: readonly string[]): Promise<{ child: ChildProcess; line: { url: string } }> {
    const child = spawn(quire, args, { cwd: dir.path, env, stdio: ["ignore", "pipe", "pipe"] });
    children.push(child);
    return { child, line: JSON.parse(await firstLine(child)) as { url: string } };
  }

  async function startOrchestrator(): Promise<void> {
    const { child, line } = await start(["orchestrate", "--port", String(port)]);
    orchestrator = child;
    port = Number(new URL(line.url).port);
  }

  await startOrchestrator();
  const api = `http://127.0.0.1:${port}`;
  const { line } = await start(["up", "--no-open", "--json", "--port", "0", "--no-discovery", "--orchestrator", api]);
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(line.url);
  await page.getByRole("navigation", { name: "Threads" }).waitFor();
  await page.evaluate(() => {
    location.hash = "#/orchestrator";
  });

  return {
    page,
    api,
    move(identifier, state) {
      const text = readFileSync(issuePath(identifier), "utf8");
      writeFileSync(issuePath(identifier), text.replace(/^state: .*$/m, `state: ${state}`));
    },
    stopOrchestrator: () => end(orchestrator),
    startOrchestrator,
    async [Symbol.asyncDispose]() {
      await browser.close();
      for (const child of children) await end(child);
      await assertNoProcesses({ tag });
      await dir.remove();
    },
  };
}

const workflow = ({ command, settings, approvals }: Required<Omit<StageOptions, "prepare">>) => `---
${settings}
polling: { interval_ms: 600000 }
workspace: { root: workspaces }
codex:
  command: ${JSON.stringify(command)}
  approval_policy: ${approvals}
  thread_sandbox: danger-full-access
  read_timeout_ms: 60000
---
{{ issue.description }}
`;

/** Twice, as a person who is in a hurry would; then for good. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGINT");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
  await ended;
  clearTimeout(timer);
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    let errors = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const [line, rest] = text.split("\n", 2);
      if (rest !== undefined) resolve(line ?? "");
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.once("exit", (code) => reject(new Error(`It ended with ${code}: ${text}${errors}`)));
  });
}
