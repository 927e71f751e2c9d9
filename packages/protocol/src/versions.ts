import { fieldSpans, itemSpans, methodSpans, observedVersions, type Spans } from "./generated/versions.ts";

export { observedVersions };

/** Before 0.118, Codex sent every event a second time under names with this prefix. */
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

/** Compares two versions by semver precedence: negative when `a` is older, positive when it is newer, 0 when equal. */
export function compareVersions(a: string, b: string): number {
  const [one, two] = [parseVersion(a), parseVersion(b)];
  for (let index = 0; index < 3; index += 1) {
    const difference = (one.numbers[index] ?? 0) - (two.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (one.preRelease === two.preRelease) return 0;
  // A pre-release comes before its release.
  if (one.preRelease === "") return 1;
  if (two.preRelease === "") return -1;
  return comparePreReleases(one.preRelease.split("."), two.preRelease.split("."));
}

function parseVersion(version: string): { numbers: number[]; preRelease: string } {
  const [core = "", ...rest] = version.replace(/^v/, "").replace(/\+.*$/, "").split("-");
  return { numbers: core.split(".").map((part) => Number.parseInt(part, 10) || 0), preRelease: rest.join("-") };
}

function comparePreReleases(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const [one = "", two = ""] = [a[index], b[index]];
    if (one === two) continue;
    const [x, y] = [one, two].map((part) => (/^\d+$/.test(part) ? Number(part) : Number.NaN)) as [number, number];
    if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
    if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
    return one < two ? -1 : 1;
  }
  return a.length - b.length;
}

/** Reads the server's version out of the `userAgent` of its `initialize` reply, such as `my_app/0.166.0 (Debian …)`. */
export function parseUserAgent(userAgent: string): string | undefined {
  return /\/v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)(?=[\s+]|$)/.exec(userAgent)?.[1];
}

/** When a method existed; `undefined` for a name that no observed version has. */
export function availability(method: string): Availability | undefined {
  return find(methodSpans, method.startsWith(legacyEventPrefix) ? `${legacyEventPrefix}*` : method);
}

/** When a param of a method existed; that of the method where the param came with it. */
export function fieldAvailability(method: string, field: string): Availability | undefined {
  return find(fieldSpans, `${method} ${field}`) ?? availability(method);
}

/** When a kind of item, such as `commandExecution`, existed. */
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
 * Whether a server of this version has a method. `undefined` means that it cannot be told: the version lies between two
 * observed ones that differ, is older than all, or the method is unknown here. Then it is best to try.
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
