import type { RunError } from "../events/run-error.ts";
import type { PullRequest, PullStatus } from "../forges/forge.ts";
import type { Issue } from "../tracker/issue.ts";

/** Delivery of an issue's work to a forge. */
export interface Delivery extends Pick<PullStatus, "checks" | "review"> {
  readonly issue: Issue;
  readonly workspace: string;
  /** Host of the workspace; null or nothing for this machine. */
  readonly host?: string | null | undefined;
  readonly branch: string;
  /** The commit that was pushed last; null before that. */
  readonly sha: string | null;
  /** Commit of the base from which the branch parts; nothing before the first push. */
  readonly from?: string | null | undefined;
  readonly pull: PullRequest | null;
  /** `pending`: what is there is still to be pushed. */
  readonly state: "pending" | "open" | "merged" | "closed";
  /** True if the agent has handed its work over; before that the branch is only kept safe. */
  readonly isHandedOver: boolean;
  /** Id of the comment that is kept current at the issue, and its text. */
  readonly note: { readonly id: string; readonly text: string } | null;
  /** Feedback that agents were told of, by its ids. */
  readonly seen: readonly string[];
  /** Words for the next run; null where nothing has to change. */
  readonly feedback: string | null;
  /** The agent's last words. */
  readonly summary: string | null;
  /** Commit that a person approved on the board. */
  readonly approved?: string | null | undefined;
  readonly runs: number;
  readonly turns: number;
  readonly tokens: number;
  /** US dollars that they cost; null where the workflow names no prices. */
  readonly usd: number | null;
  readonly error: RunError | null;
}
