import type { RateLimitSnapshot } from "@quire/protocol";
import type { RunPhase, SessionEventKind, TimelineEntry, TokenCounts } from "../events/snapshot.ts";
import type { Clock } from "../lib/clock.ts";
import { oneLine } from "../session/describe.ts";
import type { SessionObserver } from "../session/observer.ts";
import { addTokens, noTokens } from "../session/token-meter.ts";
import type { Issue } from "../tracker/issue.ts";

/** Callbacks for the events of a run. */
export interface RunListener {
  entry(entry: TimelineEntry): void;
  /** A turn has started, or tokens were used. */
  progress(): void;
  rateLimits(limits: RateLimitSnapshot): void;
  /** The app-server's process is known. */
  process(pid: number): void;
  stderr(line: string): void;
}

/** Options of {@link RunState}. */
export interface RunStateOptions {
  readonly issue: Issue;
  /** 1 for the issue's first run. */
  readonly number: number;
  readonly clock: Clock;
  readonly listener: RunListener;
}

/** Live state of a run. Only the run writes it, except for {@link issue}. */
export class RunState implements SessionObserver {
  readonly #clock: Clock;
  readonly #listener: RunListener;
  readonly #number: number;
  /** As last seen in the tracker. */
  issue: Issue;
  phase: RunPhase = "PreparingWorkspace";
  workspace: string | null = null;
  threadId: string | null = null;
  turnId: string | null = null;
  pid: number | null = null;
  turnCount = 0;
  tokens: TokenCounts = noTokens;
  /** Of the agent, in its last turn. */
  lastWords: string | null = null;
  lastEvent: TimelineEntry | null = null;
  lastActivityAt: number | null = null;
  readonly startedAt: number;
  readonly #begun: number;
  #active: number;
  /** When the agent's own tools last changed the issue. */
  #handed: number | undefined;

  constructor({ issue, number, clock, listener }: RunStateOptions) {
    this.issue = issue;
    this.#number = number;
    this.#clock = clock;
    this.#listener = listener;
    this.startedAt = clock.now();
    this.#begun = this.#active = clock.elapsed();
  }

  /** Seconds since it began. */
  get seconds(): number {
    return (this.#clock.elapsed() - this.#begun) / 1000;
  }

  /** Milliseconds in which nothing has happened. */
  get silentMs(): number {
    return this.#clock.elapsed() - this.#active;
  }

  /** Milliseconds since the run's own agent changed the issue; infinite where it has not. */
  get sinceHandedMs(): number {
    return this.#handed === undefined ? Number.POSITIVE_INFINITY : this.#clock.elapsed() - this.#handed;
  }

  /** The agent changed the issue by a tool of the tracker. */
  handed(): void {
    this.#handed = this.#clock.elapsed();
  }

  /** `<thread>-<turn>`, as soon as there is a turn. */
  get sessionId(): string | null {
    return this.threadId !== null && this.turnId !== null ? `${this.threadId}-${this.turnId}` : null;
  }

  /** Goes on to the next phase. */
  enter(phase: RunPhase): void {
    if (this.phase === phase && phase !== "PreparingWorkspace") return;
    this.phase = phase;
    this.#add("phase", phase, phase);
  }

  /** Tells how a hook went. */
  hook(name: string, error: unknown): void {
    this.activity();
    this.#add("hook", error === undefined ? `${name} done` : `${name}: ${(error as Error).message}`, name);
  }

  /** Tells what ended the run. */
  fail(code: string, message: string): void {
    this.#add("error", message, code);
  }

  event(kind: SessionEventKind, message: string, name?: string): void {
    this.#add(kind, message, name ?? null);
  }

  activity(): void {
    this.lastActivityAt = this.#clock.now();
    this.#active = this.#clock.elapsed();
  }

  usage(delta: TokenCounts): void {
    this.tokens = addTokens(this.tokens, delta);
    this.#listener.progress();
  }

  rateLimits(limits: RateLimitSnapshot): void {
    this.#listener.rateLimits(limits);
  }

  process(pid: number): void {
    this.pid = pid;
    this.#listener.process(pid);
  }

  ids(threadId: string, turnId: string | null): void {
    this.threadId = threadId;
    this.turnId = turnId;
    if (turnId !== null) this.turnCount++;
    this.#listener.progress();
  }

  stderr(line: string): void {
    this.#listener.stderr(line);
  }

  #add(kind: TimelineEntry["kind"], message: string, name: string | null): void {
    this.lastEvent = { at: this.#clock.now(), kind, message: oneLine(message), name, run: this.#number };
    this.#listener.entry(this.lastEvent);
  }
}
