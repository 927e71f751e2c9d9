import { failureMessage } from "@quire/client/link";
import { AgentError } from "../lib/agent-error.ts";
import type { Logger } from "../lib/logger.ts";
import type { Session } from "../session/session.ts";
import type { SessionSnapshot } from "../session/snapshot.ts";

/** A resource whose state can be rolled back: it has both methods. */
export interface Snapshotable {
  snapshot(): unknown;
  restore(snapshot: unknown): unknown;
}

/** A roll-back failed: the session, or a resource, is in no defined state. */
export class RestoreError extends AgentError {
  override readonly name: string = "RestoreError";
}

/** The state of a session and its resources before something was tried. */
export interface Transaction {
  /** Its purpose, such as `tool:lookup`. */
  readonly tag: string;
  /** Takes everything back: the session first, then the resources. Rejects with a {@link RestoreError}. */
  rollBack(): Promise<void>;
}

/** Options of {@link beginTransaction}. */
export interface TransactionOptions {
  readonly tag: string;
  readonly session: Session;
  /** Resources that exist; those that are not {@link Snapshotable} are left alone. */
  readonly resources?: Iterable<readonly [{ readonly name: string }, unknown]> | undefined;
  readonly logger?: Logger | undefined;
}

/** Remembers how things are now. Rejects where the session or a resource cannot tell. */
export async function beginTransaction(options: TransactionOptions): Promise<Transaction> {
  const { tag, session, resources = [] } = options;
  const saved: SessionSnapshot = session.snapshot();
  const states: { readonly name: string; readonly resource: Snapshotable; readonly state: unknown }[] = [];
  for (const [{ name }, resource] of resources) {
    if (isSnapshotable(resource)) states.push({ name, resource, state: await resource.snapshot() });
  }
  return {
    tag,
    async rollBack() {
      const failures: unknown[] = [];
      try {
        session.restore(saved);
      } catch (error) {
        failures.push(error);
      }
      for (const { name, resource, state } of states) {
        try {
          await resource.restore(state);
        } catch (error) {
          options.logger?.error?.(`The resource "${name}" could not be rolled back`, error);
          failures.push(error);
        }
      }
      if (failures.length === 0) return;
      const cause = failures.length === 1 ? failures[0] : new AggregateError(failures);
      throw new RestoreError(`What "${tag}" changed could not be taken back: ${failureMessage(failures[0])}`, {
        cause,
      });
    },
  };
}

function isSnapshotable(value: unknown): value is Snapshotable {
  if (typeof value !== "object" || value === null) return false;
  const { snapshot, restore } = value as Partial<Snapshotable>;
  return typeof snapshot === "function" && typeof restore === "function";
}
