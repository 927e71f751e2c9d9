import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  Orchestrator,
  type OrchestratorEvent,
  type OrchestratorOptions,
  previewAgreement,
  type Snapshot,
} from "@quire/orchestrator";
import { eventually, type FakeClock, fakeClock, tempDir } from "@quire/testkit";
import { stringify } from "yaml";
import type { MemoryTracker } from "./memory-tracker.ts";

/** The command of the test's own app-server. */
export function fakeAgent(behaviour: string): string {
  return `'${process.execPath}' '${join(import.meta.dirname, "fake-agent.ts")}' '${behaviour}'`;
}

/** A workflow file's text. */
export function workflowText(
  frontMatter: object,
  body = "Work on {{ issue.identifier }}, attempt {{ attempt }}.",
): string {
  return `---\n${stringify(frontMatter)}---\n\n${body}\n`;
}

/** An orchestrator with all that happens in it, in a folder of its own. */
export interface Place extends AsyncDisposable {
  readonly path: string;
  readonly root: string;
  readonly workflow: string;
  readonly clock: FakeClock;
  readonly orchestrator: Orchestrator;
  readonly events: OrchestratorEvent[];
  /** Waits for the state to be as wanted, and gives it. */
  until(what: string, is: (snapshot: Snapshot) => boolean): Promise<Snapshot>;
  /** How often the tracker was looked at, each to the end of what followed from it. */
  ticks(): number;
  /** Has the tracker looked at once more, from beginning to end. */
  look(): Promise<void>;
  /** What the app-server of an issue received and noted. */
  wire(key: string): Wire[];
  /** Writes the workflow file anew, as a person who agrees to it. */
  write(text: string): void;
  /** Agrees to the workflow as it is now. */
  agree(): void;
  log(): string;
}

/** Another orchestrator on the same workflow and state, after the first has ended. */
export function again(at: Place, tracker: MemoryTracker, options: Partial<OrchestratorOptions> = {}): Orchestrator {
  return new Orchestrator({
    workflow: at.workflow,
    adapters: { memory: tracker.adapter },
    clock: at.clock,
    env: { ...process.env, HOME: at.path },
    stateFile: join(at.path, "state.sqlite"),
    ...options,
  });
}

/** The state as a crash in this very moment would leave it; gives its file. */
export function crashImage(at: Place): string {
  const [from, to] = [join(at.path, "state.sqlite"), join(at.path, "crashed.sqlite")];
  for (const part of ["", "-wal"]) copyFileSync(`${from}${part}`, `${to}${part}`);
  return to;
}

/** A line that the test's app-server wrote down. */
export interface Wire {
  readonly id?: number;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever a test looks for in a message
  readonly [key: string]: any;
}

/** How a place is set up. */
export interface PlaceOptions extends Partial<Omit<OrchestratorOptions, "adapters" | "clock">> {
  readonly behaviour?: string;
  readonly body?: string;
  /** Sections of the workflow, besides those that every test needs. */
  readonly settings?: Record<string, Record<string, unknown>>;
}

/** Makes a place for a tracker; the orchestrator is not started yet. */
export async function place(tracker: MemoryTracker, options: PlaceOptions = {}): Promise<Place> {
  const dir = await tempDir("quire-orchestrator-");
  const { behaviour = "done", settings = {}, body, ...rest } = options;
  const root = join(dir.path, "workspaces");
  const workflow = join(dir.path, "WORKFLOW.md");
  await mkdir(root);
  const { tracker: trackerSettings, workspace, codex, ...others } = settings;
  const frontMatter = {
    tracker: { kind: "memory", ...trackerSettings },
    workspace: { root, ...workspace },
    // A busy machine may take long to start a process.
    codex: { command: fakeAgent(behaviour), read_timeout_ms: 30_000, ...codex },
    ...others,
  };
  writeFileSync(workflow, workflowText(frontMatter, body));
  const clock = fakeClock({ now: Date.parse("2026-01-01T00:00:00Z") });
  const stateFile = rest.stateFile ?? join(dir.path, "state.sqlite");
  const orchestrator = new Orchestrator({
    workflow,
    adapters: { memory: tracker.adapter },
    clock,
    stateFile,
    // Login shells read no profile of the developer: one that is killed in it may leave a tool's lock behind.
    env: { ...process.env, HOME: dir.path },
    ...rest,
  });
  const events: OrchestratorEvent[] = [];
  orchestrator.subscribe((event) => events.push(event));
  const agree = () => previewAgreement({ adapters: { memory: tracker.adapter }, ...rest, workflow, stateFile }).agree();
  const ticks = () => events.filter(({ type }) => type === "tick").length;
  return {
    path: dir.path,
    root,
    workflow,
    clock,
    orchestrator,
    events,
    until: (what, is) =>
      eventually(
        () => {
          const snapshot = orchestrator.snapshot();
          return is(snapshot) && snapshot;
        },
        { what, timeoutMs: 30_000 },
      ),
    ticks,
    async look() {
      let before = 0;
      const begun = () => {
        before = ticks();
        // One that was under way may have asked already.
        return !orchestrator.refresh().coalesced;
      };
      await eventually(begun, { what: "the tracker to be free", timeoutMs: 30_000 });
      await eventually(() => ticks() > before, { what: "a look", timeoutMs: 30_000 });
    },
    wire(key) {
      const file = join(root, key, "wire.jsonl");
      return existsSync(file)
        ? readFileSync(file, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
        : [];
    },
    write(text) {
      writeFileSync(workflow, text);
      try {
        agree();
      } catch {
        // Nobody agrees to a file that cannot be used.
      }
    },
    agree,
    log: () =>
      events
        .flatMap((event) =>
          event.type === "log" ? [`${event.level} ${event.message} ${JSON.stringify(event.fields)}`] : [],
        )
        .join("\n"),
    async [Symbol.asyncDispose]() {
      await orchestrator.shutDown();
      await dir.remove();
    },
  };
}
