import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { Orchestrator, type TrackerAdapter } from "@quire/orchestrator";
import { type TempDir, tempDir } from "@quire/testkit";

/** An agent that never answers: its run keeps its place. Were its output elsewhere, it would count as gone. */
export const silent = "exec sleep 100000";

/** Options of an orchestrator for a measurement. */
export interface StageOptions {
  readonly adapter: TrackerAdapter;
  /** A shell command. */
  readonly command: string;
  readonly atOnce: number;
  readonly once: boolean;
}

/** An orchestrator in a folder of its own. Dispose of it afterwards. */
export interface Stage extends AsyncDisposable {
  readonly orchestrator: Orchestrator;
  readonly dir: TempDir;
}

/** Without anybody's shell profile: what that costs is not ours. */
export function bareEnv(dir: TempDir): Record<string, string> {
  return { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: dir.path };
}

/** Makes one; it is not started yet. */
export async function stage({ adapter, command, atOnce, once }: StageOptions): Promise<Stage> {
  const dir = await tempDir("quire-bench-orchestrator-");
  mkdirSync(join(dir.path, "workspaces"));
  const workflow = join(dir.path, "WORKFLOW.md");
  const settings = {
    tracker: { kind: "many" },
    polling: { interval_ms: 3_600_000 },
    workspace: { root: "workspaces" },
    agent: { max_concurrent_agents: atOnce, max_turns: 1 },
    codex: { command, read_timeout_ms: 600_000, approval_policy: "never" },
  };
  writeFileSync(workflow, `---\n${JSON.stringify(settings)}\n---\nNothing is to be done for {{ issue.identifier }}.\n`);
  const orchestrator = new Orchestrator({
    workflow,
    adapters: { many: adapter },
    stateFile: join(dir.path, "state.sqlite"),
    env: bareEnv(dir),
    once,
  });
  return {
    orchestrator,
    dir,
    async [Symbol.asyncDispose]() {
      await orchestrator.shutDown();
      await dir.remove();
    },
  };
}
