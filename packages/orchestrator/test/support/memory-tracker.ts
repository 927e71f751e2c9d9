import { jsonSchema, tool } from "@quire/client";
import type { Issue, ToolSession, Tracker, TrackerAdapter } from "@quire/orchestrator";

/** An issue with everything filled in. */
export function issueOf(identifier: string, over: Partial<Issue> = {}): Issue {
  return {
    id: `id-${identifier}`,
    nativeRef: null,
    identifier,
    title: `Title of ${identifier}`,
    description: null,
    priority: null,
    state: "Todo",
    branchName: null,
    url: null,
    assigneeId: null,
    labels: [],
    blockedBy: [],
    dispatchable: true,
    createdAt: "2026-01-01T00:00:00Z",
    updatedAt: null,
    ...over,
  };
}

/** A tracker whose issues the test changes as it likes. */
export class MemoryTracker {
  readonly issues = new Map<string, Issue>();
  /** What was asked, in order. */
  readonly calls: { readonly method: "states" | "ids"; readonly asked: readonly string[] }[] = [];
  /** Thrown by every call while it is set. */
  failure: Error | undefined;
  /** Lists are given only when it opens, as they were when they were asked for. */
  hold: PromiseLike<void> | undefined;
  /** The same for issues that are asked for by id. */
  holdIds: PromiseLike<void> | undefined;
  /** Called when an agent finishes an issue, with the number of the tracker whose tool it is: 1 for the first made. */
  finishing: ((tracker: number) => void) | undefined;
  /** What each session's tools were made for. */
  readonly sessions: ToolSession[] = [];
  /** Names of variables that are secret. */
  secretEnvNames: readonly string[] = [];
  secrets: readonly string[] = [];
  /** States that the orchestrator set, and its comments. */
  readonly written: string[] = [];
  readonly notes = new Map<string, string>();
  /** Name of the place of its issues. */
  scope: string | null = null;
  /** How many trackers were closed. */
  closed = 0;

  constructor(...issues: readonly Issue[]) {
    for (const issue of issues) this.issues.set(issue.id, issue);
  }

  /** Puts an issue into another state. */
  move(identifier: string, state: string): void {
    this.change(identifier, { state });
  }

  change(identifier: string, change: Partial<Issue>): void {
    const issue = this.#named(identifier);
    this.issues.set(issue.id, { ...issue, ...change });
  }

  state(identifier: string): string {
    return this.#named(identifier).state;
  }

  readonly adapter: TrackerAdapter = {
    profile: {
      kind: "memory",
      title: "Memory",
      ids: "",
      dispatchable: "",
      defaultActiveStates: ["Todo", "In Progress"],
      defaultTerminalStates: ["Done"],
      tools: ["finish"],
    },
    create: () => this.#tracker(),
  };

  #made = 0;

  #named(identifier: string): Issue {
    const issue = [...this.issues.values()].find((one) => one.identifier === identifier);
    if (!issue) throw new Error(`There is no issue ${identifier}`);
    return issue;
  }

  #answer(method: "states" | "ids", asked: readonly string[], keep: (issue: Issue) => boolean): readonly Issue[] {
    this.calls.push({ method, asked });
    if (this.failure) throw this.failure;
    return [...this.issues.values()].filter(keep);
  }

  #tracker(): Tracker {
    const { secretEnvNames, secrets } = this;
    const number = ++this.#made;
    return {
      profile: this.adapter.profile,
      scope: this.scope,
      secretEnvNames,
      secrets,
      writer: {
        setState: async ({ identifier }, state) => {
          this.written.push(`${identifier} ${state}`);
          this.move(identifier, state);
        },
        writeNote: async ({ identifier }, text) => {
          this.notes.set(identifier, text);
          return "note-1";
        },
      },
      fetchIssuesByStates: async (states) => {
        const wanted = states.map((state) => state.toLowerCase());
        const answer = this.#answer("states", states, ({ state }) => wanted.includes(state.toLowerCase()));
        await this.hold;
        return answer;
      },
      fetchIssuesByIds: async (ids) => {
        const answer = this.#answer("ids", ids, ({ id }) => ids.includes(id));
        await this.holdIds;
        return answer;
      },
      tools: (session) => {
        this.sessions.push(session);
        const finish = tool<{ state?: string }>({
          name: "finish",
          description: "Moves the issue",
          input: jsonSchema<{ state?: string }>({ type: "object", properties: { state: { type: "string" } } }),
          run: ({ state = "Done" }) => {
            this.finishing?.(number);
            this.move(session.issue.identifier, state);
            session.changed?.();
            return "moved";
          },
        });
        return [finish as never];
      },
      close: async () => {
        this.closed++;
      },
    };
  }
}
