import { fieldSpans, itemSpans, methodSpans, observedVersions, type Spans } from "../generated/versions.ts";
import { compareVersions } from "../lib/version-number.ts";

export { observedVersions };

/** Before 0.115, Codex sent every event a second time under names with this prefix. */
export const legacyEventPrefix: string = "codex/event/";

/** Between which of the observed Codex versions something exists. */
export interface Availability {
  /** The oldest observed version that has it. */
  readonly since: string;
  /** The newest observed version before `since`, which lacked it; absent where even the oldest has it. */
  readonly absentIn?: string;
  /** The oldest observed version that no longer has it. */
  readonly removedIn?: string;
}

/** Versions that have a method; `undefined` for a name that no observed version has. */
export function availability(method: string): Availability | undefined {
  return find(methodSpans, method.startsWith(legacyEventPrefix) ? `${legacyEventPrefix}*` : method);
}

/** Versions that have a param of a method; those of the method if the param came with it. */
export function fieldAvailability(method: string, field: string): Availability | undefined {
  return find(fieldSpans, `${method} ${field}`) ?? availability(method);
}

/** Versions that have a kind of item, such as `commandExecution`. */
export function itemAvailability(type: string): Availability | undefined {
  return find(itemSpans, type);
}

function find(spans: Spans, name: string): Availability | undefined {
  const span = Object.keys(spans).find((key) => spans[key]?.includes(name));
  if (span === undefined) return undefined;
  const [since = "", removedIn = ""] = span.split("..");
  const absentIn = observedVersions[observedVersions.indexOf(since) - 1];
  return { since, ...(absentIn === undefined ? {} : { absentIn }), ...(removedIn === "" ? {} : { removedIn }) };
}

/**
 * Tells whether a server of this version has a method. `undefined` means unknown, and then it is best to try: the
 * version lies between two observed ones that differ, is older than all, or the method is unknown here.
 */
export function supports(method: string, serverVersion: string): boolean | undefined {
  const known = availability(method);
  if (known === undefined) return undefined;
  const { since, absentIn, removedIn } = known;
  if (removedIn !== undefined && compareVersions(serverVersion, removedIn) >= 0) return false;
  if (absentIn !== undefined && compareVersions(serverVersion, absentIn) <= 0) return false;
  if (compareVersions(serverVersion, since) < 0) return undefined;
  if (removedIn === undefined) return true;
  const last = observedVersions[observedVersions.indexOf(removedIn) - 1] ?? since;
  return compareVersions(serverVersion, last) <= 0 ? true : undefined;
}

/** Says in a sentence why a server of this version lacks a method; `undefined` where it has it or may have it. */
export function explainMissing(method: string, serverVersion: string): string | undefined {
  if (supports(method, serverVersion) !== false) return undefined;
  const { since, removedIn } = availability(method) ?? { since: "" };
  if (removedIn !== undefined && compareVersions(serverVersion, removedIn) >= 0) {
    return `${method} went away in Codex ${removedIn} (you have ${serverVersion})`;
  }
  return `${method} needs Codex ${since} or later (you have ${serverVersion})`;
}
