import type { SlicePolicy } from "../events/record.ts";
import { SnapshotError, SnapshotRestoreError } from "../events/session-errors.ts";
import { isPlainObject } from "../lib/frozen-copy.ts";

/** The form in which snapshots are written; another one cannot be read. */
const version = 1;

/** The records of one type in a {@link SessionSnapshot}. */
export interface SnapshotSlice {
  /** The name of the type. */
  readonly type: string;
  readonly policy: SlicePolicy;
  readonly items: readonly object[];
}

/** The state of a session at one time. It does not change, and survives JSON. */
export class SessionSnapshot {
  readonly createdAt: string;
  readonly sessionId: string;
  readonly tags: Readonly<Record<string, string>>;
  /** True when it also holds the slices that are logs. */
  readonly includesLogs: boolean;
  /** Without those that are empty. */
  readonly slices: readonly SnapshotSlice[];

  constructor(content: Omit<SessionSnapshot, "toJSON">) {
    this.createdAt = content.createdAt;
    this.sessionId = content.sessionId;
    this.tags = Object.freeze({ ...content.tags });
    this.includesLogs = content.includesLogs;
    this.slices = Object.freeze(content.slices.map((slice) => Object.freeze({ ...slice })));
    Object.freeze(this);
  }

  /** For `JSON.stringify`. */
  toJSON(): Record<string, unknown> {
    const { createdAt, sessionId, tags, includesLogs, slices } = this;
    return { version, createdAt, sessionId, tags, includesLogs, slices };
  }

  /** Reads what `JSON.stringify` wrote. Throws a SnapshotRestoreError for anything else. */
  static parse(text: string): SessionSnapshot {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      throw new SnapshotRestoreError("A snapshot is JSON, which this text is not", { cause });
    }
    if (!isPlainObject(value)) throw new SnapshotRestoreError("A snapshot is an object");
    if (value.version !== version)
      throw new SnapshotRestoreError(`Only snapshots of version ${version} can be read, not ${String(value.version)}`);
    if (!isContent(value)) throw new SnapshotRestoreError("This is no whole snapshot: fields are missing or wrong");
    return new SessionSnapshot(value);
  }
}

function isContent(value: Record<string, unknown>): value is Record<string, unknown> & SessionSnapshot {
  const { createdAt, sessionId, tags, includesLogs, slices } = value;
  const isTime = typeof createdAt === "string" && !Number.isNaN(Date.parse(createdAt));
  const areTags = isPlainObject(tags) && Object.values(tags).every((tag) => typeof tag === "string");
  if (!isTime || !areTags || typeof sessionId !== "string" || typeof includesLogs !== "boolean") return false;
  return Array.isArray(slices) && slices.every(isSlice);
}

function isSlice(value: unknown): boolean {
  if (!isPlainObject(value) || typeof value.type !== "string" || !Array.isArray(value.items)) return false;
  return (value.policy === "state" || value.policy === "log") && value.items.every(isPlainObject);
}

/** A pure cache: records never change, so one that was found to be JSON stays it. */
const known = new WeakSet<object>();

/** Throws a SnapshotError with the place of what JSON cannot hold. */
export function assertSerializable(record: object, typeName: string): void {
  if (known.has(record)) return;
  const problem = problemIn(record, typeName, []);
  if (problem !== undefined) throw new SnapshotError(`The session cannot be written down: ${problem}`);
  known.add(record);
}

function problemIn(value: unknown, path: string, above: readonly unknown[]): string | undefined {
  if (value === null || value === undefined || typeof value === "string" || typeof value === "boolean")
    return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `${path} is ${value}`;
  if (typeof value !== "object") return `${path} is a ${typeof value}`;
  if (above.includes(value)) return `${path} holds itself`;
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") return undefined;
  if (!Array.isArray(value) && !isPlainObject(value)) return `${path} is an instance of ${value.constructor.name}`;
  for (const [key, part] of Object.entries(value)) {
    const problem = problemIn(part, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, [...above, value]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
