import type { Issue, TrackerAdapter } from "@quire/orchestrator";

/** A tracker with so many issues, which stay as they are, and how often anything was read of them. */
export interface CountingTracker {
  readonly adapter: TrackerAdapter;
  /** Fields of issues that were read since the last call. */
  takeReads(): number;
  /** Requests so far, as GitHub's tracker would make them: pages of a hundred in lists, fifty issues in a refresh. */
  requests(): number;
}

/** Makes one. Only with `counted` are reads counted: it makes each of them slower. */
export function manyIssues(count: number, counted = false): CountingTracker {
  let reads = 0;
  let requests = 0;
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
    fetchIssuesByStates: async (states: readonly string[]) => {
      const found = states.includes("Todo") ? given : [];
      requests += Math.max(1, Math.ceil(found.length / 100));
      return found;
    },
    fetchIssuesByIds: async (ids: readonly string[]) => {
      requests += Math.ceil(ids.length / 50);
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
  };
  return {
    adapter: { profile, create: () => tracker },
    takeReads() {
      const taken = reads;
      reads = 0;
      return taken;
    },
    requests: () => requests,
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
