import type { ActivityStatus } from "./activity.tsx";

/** The status of a call, also where it is one that only newer servers send. */
export function toolStatus(status: string, done: boolean, waiting = false): ActivityStatus {
  if (status === "failed" || status === "interrupted") return "failed";
  if (status === "declined") return "declined";
  if (status !== "inProgress" || done) return "done";
  return waiting ? "waiting" : "running";
}
