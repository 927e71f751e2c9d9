import type { RateLimitSnapshot } from "@quire/protocol";
import type { SessionEventKind, TokenCounts } from "../events/snapshot.ts";

/** Hears what happens in a session. Nothing of it may throw. */
export interface SessionObserver {
  /** Something worth a line. */
  event(kind: SessionEventKind, message: string, name?: string): void;
  /** The app-server said something, be it worth a line or not. */
  activity(): void;
  /** Tokens used since the last report. */
  usage(delta: TokenCounts): void;
  rateLimits(limits: RateLimitSnapshot): void;
  /** The app-server runs. */
  process(pid: number): void;
  /** Thread and turn have these ids. */
  ids(threadId: string, turnId: string | null): void;
  /** Receives the app-server's stderr, which is for the log and never for the protocol. */
  stderr(line: string): void;
}
