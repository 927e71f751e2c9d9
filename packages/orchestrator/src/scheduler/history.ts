import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { FinishedIssue } from "../events/snapshot.ts";
import { noTokens } from "../session/token-meter.ts";
import type { Spent } from "../state/budget.ts";
import type { Claim, RetryClaim } from "../state/claim.ts";
import type { WorkflowConfig } from "../workflow/config.ts";

/** The root in which an issue's folder was made, as long as it is there: the setting may have changed since. */
export function rootOf(
  { workspace: folder, host = null }: WorkPlace,
  { workspaceRoot, worker }: WorkflowConfig,
): string {
  if (host !== null) return folder === null ? worker.root : dirname(folder);
  return folder !== null && existsSync(folder) ? dirname(folder) : workspaceRoot;
}

/** Folder and host of an issue's work. */
export type WorkPlace = Pick<RetryClaim, "workspace" | "host">;

/** History that an issue keeps from claim to claim. */
export type History = Pick<
  RetryClaim,
  "runs" | "turns" | "tokens" | "workspace" | "host" | "threadId" | "lastOutcome" | "lastError" | "answer"
>;

const fresh: History = {
  runs: 0,
  turns: 0,
  tokens: noTokens,
  workspace: null,
  host: null,
  threadId: null,
  lastOutcome: null,
  lastError: null,
};

/** Fields of a claim besides its history, until it is blocked. */
export const waiting = { status: "retrying", dueAt: 0, error: null, needsSlot: false } as const;

export function spentOf({ runs, turns, tokens }: Pick<History, "runs" | "turns" | "tokens">): Spent {
  return { runs, turns, inputTokens: tokens.inputTokens, outputTokens: tokens.outputTokens };
}

/** The history of an issue that was finished and is worked on again. */
export function afterEnd(end: FinishedIssue | undefined): History {
  if (!end) return fresh;
  const { attempts, turnCount, tokens, workspace, host, threadId, outcome, error } = end;
  return {
    runs: attempts,
    turns: turnCount,
    tokens,
    workspace,
    host,
    threadId,
    lastOutcome: outcome,
    lastError: error,
  };
}

/** The history that an issue keeps from claim to claim. */
export function carried(claim: Claim): History {
  const { runs, turns, tokens, workspace, host, threadId, lastOutcome, lastError, answer } = claim;
  return { runs, turns, tokens, workspace, host, threadId, lastOutcome, lastError, answer };
}
