import type { Issue, TrackerAdapter } from "@quire/orchestrator";

/** A tracker with so many issues, which stay as they are, and how often anything was read of them. */
export interface CountingTracker {
  readonly adapter: TrackerAdapter;
  /** Fields of issues that were read since the last call. */
  takeReads(): number;
}

/** Makes one. Only with `counted` are reads counted: it makes each of them slower. */
export function manyIssues(count: number, counted = false): CountingTracker {
  let reads = 0;
  const watch = (issue: Issue): Issue =>
    new Proxy(issue, {
      get(target, key, receiver) {
        reads++;
        return Reflect.get(target, key, receiver);
      },
    });
  const issues = Array.from({ length: count }, (_, index) => issueOf(index));
  const given = counted ? issues.map(watch) : issues;
  const byId = new Map(given.map((issue, index) => [issues[index]?.id ?? "", issue]));
  const profile = {
    kind: "many",
    title: "Many issues in memory",
    ids: "",
    dispatchable: "",
    defaultActiveStates: ["Todo"],
    defaultTerminalStates: ["Done"],
    tools: [],
  };
  const tracker = {
    profile,
    scope: null,
    secretEnvNames: [],
    secrets: [],
    tools: () => [],
    fetchIssuesByStates: async (states: readonly string[]) => (states.includes("Todo") ? given : []),
    fetchIssuesByIds: async (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? []),
  };
  return {
    adapter: { profile, create: () => tracker },
    takeReads() {
      const taken = reads;
      reads = 0;
      return taken;
    },
  };
}

function issueOf(index: number): Issue {
  return {
    id: `id-${index}`,
    nativeRef: null,
    identifier: `MANY-${index}`,
    title: `Issue ${index}`,
    description: "Nothing is to be done.",
    priority: (index % 5) + 1,
    state: "Todo",
    branchName: null,
    url: null,
    assigneeId: null,
    labels: ["bench"],
    blockedBy: [],
    dispatchable: true,
    // Not in the order of the list, so that sorting has something to do.
    createdAt: new Date(Date.UTC(2026, 0, 1) + ((index * 7919) % 100_000) * 1000).toISOString(),
    updatedAt: null,
  };
}
