import type { ThreadSummary } from "../../../src/state/model.ts";

/** A thread as lists know it. */
export function aSummary(thread: string, change: Partial<ThreadSummary> = {}): ThreadSummary {
  return {
    key: { hub: "h1", thread },
    name: null,
    preview: "",
    cwd: "/work",
    status: "idle",
    unread: false,
    forkedFrom: null,
    archived: false,
    parent: null,
    agentNickname: null,
    agentRole: null,
    model: null,
    updatedAt: 1,
    createdAt: 1,
    branch: null,
    ...change,
  };
}
