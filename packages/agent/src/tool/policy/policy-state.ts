import { type RecordType, record } from "../../events/record.ts";
import type { Session } from "../../session/session.ts";

/** The memory of a policy in a session: one record per policy. */
export const PolicyState: RecordType<{
  /** The policy's name. */
  policy: string;
  /** Things that have happened, in the policy's own words. */
  seen: readonly string[];
}> = record("quire.policyState");

/** The memory of a policy in this session. */
export function seenBy(session: Session, policy: string): readonly string[] {
  return session.slice(PolicyState).where((state) => state.policy === policy)[0]?.seen ?? [];
}

/** Lets a policy remember something. */
export function remember(session: Session, policy: string, what: string): void {
  const seen = seenBy(session, policy);
  if (seen.includes(what)) return;
  const slice = session.slice(PolicyState);
  slice.seed([...slice.where((state) => state.policy !== policy), PolicyState({ policy, seen: [...seen, what] })]);
}
