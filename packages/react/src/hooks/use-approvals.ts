import type { Approvals, OpenApproval } from "@quire/client/questions";
import { useSyncExternalStore } from "react";

/** Approvals that wait for the user. */
export interface ApprovalsState {
  /** The open approvals, oldest first; of one thread only, if one was named. */
  readonly open: readonly OpenApproval[];
  /** Answers one: `accept`, `acceptForSession`, `decline` or `cancel`. False if it is not open any more. */
  readonly answer: Approvals["answer"];
}

const none: readonly OpenApproval[] = [];

/**
 * The approvals that wait for the user, kept up to date. Give `approvals.ask` to the client as its `onApproval`.
 *
 * ```tsx
 * const { open, answer } = useApprovals(approvals);
 * return open.map(({ id, script }) => <button key={id} onClick={() => answer(id, "accept")}>Run {script}</button>);
 * ```
 */
export function useApprovals(approvals: Approvals, threadId?: string): ApprovalsState {
  const all = useSyncExternalStore(approvals.subscribe, approvals.snapshot, () => none);
  const open = threadId === undefined ? all : all.filter((approval) => approval.threadId === threadId);
  return { open, answer: approvals.answer };
}
