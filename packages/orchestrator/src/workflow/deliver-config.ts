import type { Forge, MergeMethod } from "../forges/forge.ts";
import { forges } from "../forges/forges.ts";
import { withoutCredentials } from "../lib/secrets.ts";
import type { TrackerConfig } from "../tracker/adapter.ts";
import { isStateIn } from "../tracker/issue.ts";
import { DeliveryText } from "./delivery-text.ts";
import type { Settings } from "./settings.ts";
import { WorkflowError } from "./workflow-error.ts";

/** When a pull request is merged: never, once it is approved and its checks are green, or once they are green. */
export type MergeRule = "never" | "approved" | "green";

/** States that the orchestrator brings an issue into; null: it does not. */
interface DeliverStates {
  /** It has a pull request that waits for people and checks. */
  readonly review: string | null;
  /** A check failed, or a reviewer wants changes. An active state. */
  readonly rework: string | null;
  /** It is about to be merged. */
  readonly merging: string | null;
  /** It is merged. */
  readonly done: string | null;
}

/** Delivery of what agents made: commits, branches, pull requests. */
export interface DeliverConfig {
  readonly forge: Forge;
  /** Settings as they are written, which a person agrees to. */
  readonly guarded: Readonly<Record<string, unknown>>;
  /** Address or path that git pushes to. */
  readonly remote: string;
  readonly base: string;
  /** `Name <mail>` of commits that the orchestrator makes. */
  readonly author: { readonly name: string; readonly mail: string };
  readonly text: DeliveryText;
  /** `agent`: an issue is handed over when its agent moves it. `run`: each run is one turn, and hands over if it succeeds. */
  readonly handOver: "agent" | "run";
  /** Commit what an agent left uncommitted. */
  readonly commit: boolean;
  /** Open a pull request; else branches are only pushed. */
  readonly pullRequest: boolean;
  /** Keep a comment at the issue. */
  readonly comment: boolean;
  /** Look at checks and reviews. */
  readonly watch: boolean;
  readonly merge: MergeRule;
  readonly method: MergeMethod;
  /** A change without any check counts as one whose checks are still to come. */
  readonly needsChecks: boolean;
  readonly states: DeliverStates;
}

/** Context for reading `deliver`. */
export interface DeliverContext {
  readonly baseDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly tracker: TrackerConfig;
}

/** Reads `deliver`; null where the workflow has none. Throws a `WorkflowError` or a `TrackerError`. */
export function parseDeliver(settings: Settings, { baseDir, env, tracker }: DeliverContext): DeliverConfig | null {
  if (settings.keys().length === 0) return null;
  const to = settings.text("to")?.trim();
  const adapter = to === undefined ? undefined : forges.get(to);
  if (!adapter) throw invalid(`deliver.to must be one of ${[...forges.keys()].join(", ")}`);
  const forge = adapter.create(settings.map("provider"), { baseDir, env });
  const written = settings.path("remote", { baseDir, env });
  const remote = written ?? forge.remote;
  if (remote === null) throw invalid("deliver.remote is missing: write the path of a bare repository, or its address");
  if (withoutCredentials(remote) !== remote || remote.startsWith("-") || /^ext::|^fd::/i.test(remote)) {
    throw invalid("deliver.remote must be a path or an address without credentials");
  }
  const states = parseStates(settings.section("states"), tracker);
  const handOver = settings.choice("hand_over", ["agent", "run"]);
  if (handOver === "run" && states.review === null) {
    throw invalid("deliver.hand_over is run, so deliver.states.review must name the state that an issue gets then");
  }
  return {
    forge,
    guarded: guarded(settings),
    remote,
    base: branchName(settings.text("base") ?? "main"),
    author: parseAuthor(settings.text("author") ?? "Quire <quire@localhost>"),
    text: new DeliveryText({
      commit: settings.text("commit_message"),
      title: settings.text("title"),
      body: settings.text("body"),
    }),
    commit: settings.flag("commit", true),
    pullRequest: settings.flag("pull_request", true),
    comment: settings.flag("comment", true),
    watch: settings.flag("watch", true),
    merge: settings.choice("merge", ["never", "approved", "green"]),
    method: settings.choice("method", ["merge", "squash", "rebase"]),
    needsChecks: settings.flag("checks", forge.hasChecks),
    states,
    handOver,
  };
}

function parseStates(settings: Settings, { activeStates, terminalStates }: TrackerConfig): DeliverStates {
  const of = (name: keyof DeliverStates) => settings.text(name)?.trim() ?? null;
  const states = { review: of("review"), rework: of("rework"), merging: of("merging"), done: of("done") };
  if (states.rework !== null && !isStateIn(states.rework, activeStates)) {
    throw invalid(`deliver.states.rework is ${states.rework}, which is not one of tracker.active_states: add it there`);
  }
  for (const name of ["review", "merging"] as const) {
    const state = states[name];
    if (state !== null && isStateIn(state, activeStates)) {
      throw invalid(`deliver.states.${name} is ${state}, an active state: agents would go on working`);
    }
  }
  if (states.done !== null && !isStateIn(states.done, terminalStates)) {
    throw invalid(`deliver.states.done is ${states.done}, which is not one of tracker.terminal_states: add it there`);
  }
  return states;
}

/** All but texts, which decide nothing. */
function guarded(settings: Settings): Readonly<Record<string, unknown>> {
  const names = settings.keys().filter((name) => !["title", "body", "commit_message", "comment"].includes(name));
  return Object.fromEntries(names.map((name) => [`deliver.${name}`, settings.raw(name)]));
}

function parseAuthor(written: string): DeliverConfig["author"] {
  const [, name, mail] = /^([^<>\n]+) <([^<>\s]+)>$/.exec(written.trim()) ?? [];
  if (name !== undefined && mail !== undefined) return { name, mail };
  throw invalid("deliver.author must be written as: Name <mail@example.org>");
}

function branchName(name: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9._/-]*$/.test(name) && !name.includes("..") && !name.endsWith("/")) return name;
  throw invalid(`deliver.base is ${JSON.stringify(name)}, which is no branch's name`);
}

const invalid = (message: string) => new WorkflowError("invalid_workflow_config", message);
