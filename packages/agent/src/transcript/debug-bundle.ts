import type { Session } from "../session/session.ts";
import type { TranscriptEntry } from "./transcript-entry.ts";

/** A line that was logged. */
export interface LogLine {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
}

/** All that is known of an evaluation, as JSON: to be attached to a report. It holds what the model read and wrote. */
export interface DebugBundle {
  readonly createdAt: string;
  /** The session with its logs; a reason where it cannot be written down. */
  readonly session: unknown;
  readonly transcript: readonly TranscriptEntry[];
  readonly logs: readonly LogLine[];
  readonly error: { readonly name: string; readonly message: string; readonly payload: unknown } | null;
}

/** The parts of a {@link DebugBundle}. */
export interface BundleFacts {
  readonly session: Session;
  readonly transcript: readonly TranscriptEntry[];
  readonly logs: readonly LogLine[];
  readonly error?: unknown;
}

/** Puts together what is known. It never throws. */
export function debugBundle({ session, transcript, logs, error }: BundleFacts): DebugBundle {
  return { createdAt: new Date().toISOString(), session: written(session), transcript, logs, error: described(error) };
}

function written(session: Session): unknown {
  try {
    return session.snapshot({ all: true }).toJSON();
  } catch (error) {
    return { reason: String(error) };
  }
}

function described(error: unknown): DebugBundle["error"] {
  if (error === undefined) return null;
  if (!(error instanceof Error)) return { name: typeof error, message: String(error), payload: null };
  const { payload = null } = error as { readonly payload?: unknown };
  return { name: error.name, message: error.message, payload };
}
