import type { ApprovalDecision } from "./answer.ts";
import type { ApprovalRequest } from "./approval-requests.ts";

/** An approval that waits for a person, as a page is shown it. */
export interface OpenApproval {
  readonly id: string;
  readonly threadId: string;
  readonly turnId: string | undefined;
  readonly itemId: string;
  readonly kind: ApprovalRequest["kind"];
  readonly reason: string | undefined;
  /** The command, without the shell around it. */
  readonly script?: string | undefined;
  /** Exactly what is typed into a command that runs already. */
  readonly input?: string | undefined;
  readonly cwd?: string | undefined;
  /** The paths of files to be changed, and the diffs. */
  readonly changes?: readonly { readonly path: string; readonly diff: string }[] | undefined;
  /** The whole question, as the server asked it. */
  readonly params: unknown;
}

interface Waiting {
  readonly approval: OpenApproval;
  readonly settle: (decision: ApprovalDecision) => void;
}

const decisions: ReadonlySet<unknown> = new Set<ApprovalDecision>(["accept", "acceptForSession", "decline", "cancel"]);

/**
 * Approvals that wait for an answer from elsewhere, such as a browser. Give `ask` to a client as its `onApproval`. One that
 * is withdrawn, as its turn ends or another client answers, is no longer open.
 *
 * ```ts
 * const approvals = new Approvals();
 * const codex = await CodexClient.spawn({ onApproval: approvals.ask });
 * ```
 */
export class Approvals {
  readonly #waiting = new Map<string, Waiting>();
  readonly #listeners = new Set<() => void>();
  #open: readonly OpenApproval[] = [];

  /** The handler of a client: resolves when somebody has answered. */
  readonly ask = (request: ApprovalRequest): Promise<ApprovalDecision> => {
    const id = crypto.randomUUID();
    return new Promise((resolve) => {
      const settle = (decision: ApprovalDecision) => {
        if (!this.#waiting.delete(id)) return;
        this.#changed();
        resolve(decision);
      };
      this.#waiting.set(id, { approval: describe(id, request), settle });
      this.#changed();
      // Nobody hears this answer any more; it only ends the wait.
      request.signal.addEventListener("abort", () => settle("decline"), { once: true });
      if (request.signal.aborted) settle("decline");
    });
  };

  /** The open approvals, oldest first; the same array until something changed. */
  readonly snapshot = (): readonly OpenApproval[] => this.#open;

  /** Calls the listener after every change; the returned function stops that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Answers an approval; false if it is not open any more, or the decision is none. */
  readonly answer = (id: string, decision: ApprovalDecision): boolean => {
    const waiting = this.#waiting.get(id);
    if (!waiting || !decisions.has(decision)) return false;
    waiting.settle(decision);
    return true;
  };

  #changed(): void {
    this.#open = [...this.#waiting.values()].map(({ approval }) => approval);
    for (const listener of [...this.#listeners]) listener();
  }
}

function describe(id: string, request: ApprovalRequest): OpenApproval {
  const { threadId, turnId, itemId, kind, reason, params } = request;
  const common = { id, threadId, turnId, itemId, kind, reason, params };
  if (request.kind === "command") {
    const { script, command, input, cwd } = request;
    return { ...common, script: script ?? command, input: input?.text, cwd };
  }
  if (request.kind === "fileChange") {
    return { ...common, changes: request.changes.map(({ path, diff }) => ({ path, diff })) };
  }
  return common;
}
