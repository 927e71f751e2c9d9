import type { Graph } from "./import-graph.ts";

/** The list of features, the one place that may name them all. */
const list = "features/index.ts";

/** Files outside of a feature that may import it: its methods, and the features that build on it. */
const users: Readonly<Record<string, readonly string[]>> = {
  "external-agent": ["processors/external-agent.ts"],
  feedback: ["processors/feedback.ts"],
  goals: ["processors/thread/goals.ts"],
  guardian: ["processors/thread/guardian.ts"],
  // Hooks may call tools of MCP servers.
  mcp: ["processors/mcp.ts", "features/hooks/run-mcp-tool.ts"],
  queue: ["processors/thread/queue.ts"],
  realtime: ["processors/thread/realtime.ts"],
  review: ["processors/review.ts"],
  unread: ["processors/thread/read-state.ts"],
};

const featureOf = (path: string): string | undefined => /^features\/([^/]+)\//.exec(path)?.[1];

/** Reports each import of a feature that would have to be mended if the feature was taken out. */
export function featureViolations(graph: Graph): string[] {
  return [...graph].flatMap(([path, targets]) =>
    [...targets].flatMap((target) => {
      const feature = featureOf(target);
      if (feature === undefined || feature === featureOf(path) || path === list) return [];
      return users[feature]?.includes(path) ? [] : [`${path} imports ${target}: only ${list} may know the feature`];
    }),
  );
}
