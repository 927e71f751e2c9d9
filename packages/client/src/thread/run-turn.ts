import { ConnectionError, RpcError } from "@quire/jsonrpc";
import type { TurnStartParams } from "@quire/protocol";
import { delay } from "../lib/backoff.ts";
import { onAbort } from "../lib/on-abort.ts";
import { OutputError } from "../output/output-error.ts";
import { prepareOutput } from "../output/prepare-output.ts";
import type { ServerPort } from "../port/server-port.ts";
import { type ApprovalPolicy, type SandboxPolicyInput, toApprovalPolicy, toSandboxPolicy } from "../port/spelling.ts";
import type { Telemetry } from "../port/telemetry.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import type { SchemaInput } from "../schema/schema-input.ts";
import type { StandardSchema } from "../schema/standard-schema.ts";
import { watchIdle } from "../turn/idle-watch.ts";
import { TurnError } from "../turn/turn-error.ts";
import { type TurnInput, toUserInput } from "../turn/turn-input.ts";
import type { TurnLog } from "../turn/turn-log.ts";
import type { TurnResult } from "../turn/turn-result.ts";
import type { TurnControls, TurnParts } from "../turn/turn-stream.ts";
import type { ThreadState } from "./thread-state.ts";

/** Options of one turn. */
export interface TurnOptions
  extends Omit<TurnStartParams, "threadId" | "input" | "outputSchema" | "approvalPolicy" | "sandboxPolicy"> {
  readonly approvalPolicy?: ApprovalPolicy | undefined;
  readonly sandboxPolicy?: SandboxPolicyInput | undefined;
  /** Aborting interrupts the turn on the server, waits for its end, and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Interrupts the turn and rejects with a `timeout` ConnectionError when it takes longer than this. Default: the client's `turnTimeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Gives the turn up after this long without any event. Default: the client's `turnIdleTimeoutMs`. */
  readonly idleTimeoutMs?: number | undefined;
}

/** The options of a turn whose last message must fit a schema; its result holds the parsed value as `output`. */
export interface OutputOptions<Output> extends TurnOptions {
  readonly output: StandardSchema<unknown, Output>;
}

/** The same with a bare JSON Schema, which says nothing of the type. */
export interface JsonOutputOptions extends TurnOptions {
  readonly output: JsonSchema;
}

/** Any options of a turn. */
export type RunOptions<Output = unknown> = TurnOptions & { readonly output?: SchemaInput<Output> | undefined };

/** The parts of the client that running a turn needs. */
export interface TurnHost {
  readonly port: ServerPort;
  readonly telemetry: Telemetry;
  /** The longest time of a turn; 0 for none. */
  readonly turnTimeoutMs: number;
  readonly turnIdleTimeoutMs: number;
  /** The last of the server's stderr, where it is a child. */
  stderr(): string;
}

/** The time that a server may take to end a turn after an interrupt. */
const interruptGraceMs = 5000;

/** Starts a turn and gives the parts of its handle at once. */
export function runTurn<Output>(
  host: TurnHost,
  state: ThreadState,
  input: TurnInput,
  options: RunOptions<Output> = {},
): TurnParts<TurnResult<Output>> {
  const { signal, timeoutMs, idleTimeoutMs, output, approvalPolicy, sandboxPolicy, ...overrides } = options;
  const expected = output === undefined ? undefined : prepareOutput(output);
  // Where the turn is not even started, nobody looks at it.
  expected?.catch(() => undefined);
  const start = async () => {
    const { outputSchema } = (await expected) ?? {};
    const params: TurnStartParams = {
      ...overrides,
      threadId: state.id,
      input: toUserInput(input),
      ...(approvalPolicy !== undefined && {
        approvalPolicy: toApprovalPolicy(approvalPolicy, host.port.serverVersion),
      }),
      ...(sandboxPolicy !== undefined && { sandboxPolicy: toSandboxPolicy(sandboxPolicy) }),
      ...(outputSchema !== undefined && { outputSchema }),
    };
    // Not with the signal: a start that is given up may have begun a turn that nobody would stop.
    const { turn } = await host.port.request("turn/start", params);
    return turn.id;
  };
  const finish = async (result: TurnResult): Promise<TurnResult<Output>> => {
    const parser = await expected;
    if (!parser) return result as TurnResult<Output>;
    if (result.status !== "completed") throw new OutputError(result.agentMessage, "interrupted");
    return { ...result, output: await parser.parse(result.agentMessage) };
  };
  return followTurn(host, state, start, { signal, timeoutMs, idleTimeoutMs, finish });
}

/** Options of {@link followTurn}. */
export interface FollowOptions<Result> extends Pick<TurnOptions, "signal" | "timeoutMs" | "idleTimeoutMs"> {
  /** Makes the result out of what the turn came to. */
  finish(result: TurnResult): Promise<Result>;
}

/**
 * Follows a turn from the call that starts it, whatever call that is, to its end. It begins when the turns that were
 * asked for before on the same thread have ended.
 */
export function followTurn<Result extends Pick<TurnResult, "turn" | "items">>(
  host: TurnHost,
  state: ThreadState,
  start: () => Promise<string>,
  { idleTimeoutMs = host.turnIdleTimeoutMs, finish, ...limits }: FollowOptions<Result>,
): TurnParts<Result> {
  const call = new Error();
  const endSpan = host.telemetry.active
    ? host.telemetry.start("codex turn", { "codex.thread_id": state.id })
    : undefined;
  const { timeoutMs = host.turnTimeoutMs } = limits;
  const { signal, stopTimer } = limitedSignal({ signal: limits.signal, timeoutMs });
  const letGo = host.port.hold?.();
  let begun = false;
  const log = state.inTurn(async () => {
    signal?.throwIfAborted();
    begun = true;
    return state.claim(start);
  });
  const settle = async (): Promise<Result> => {
    const turn = await log;
    const giveUp = (error: ConnectionError) => {
      void interruptTurn(host.port, turn).catch(() => undefined);
      state.fail(turn, error);
    };
    const unwatch = turn.ended ? undefined : watchIdle(turn, idleTimeoutMs, () => state.asked > 0, giveUp);
    await turn.end();
    unwatch?.();
    return finish(outcomeOf(turn, host.stderr(), call));
  };
  const stop = async () => {
    if (begun) await stopTurn(host.port, state, log, signal?.reason);
  };
  const result = signal ? withAbort(settle, signal, stop) : settle();
  const over = (outcome: Record<string, string | number>, error?: unknown) => {
    stopTimer();
    letGo?.();
    endSpan?.(outcome, error);
  };
  result.then(
    ({ turn, items }) => over({ "codex.turn_id": turn.id, "codex.items": items.length }),
    (error: unknown) => over({}, error),
  );
  return { log, result, controls: controlsOf(host.port) };
}

/** The caller's signal, and the end of the time that the turn may take, as one. */
function limitedSignal({ signal, timeoutMs }: Pick<TurnOptions, "signal" | "timeoutMs">): {
  signal: AbortSignal | undefined;
  stopTimer(): void;
} {
  if (!timeoutMs || timeoutMs === Number.POSITIVE_INFINITY) return { signal, stopTimer: () => undefined };
  const limit = new AbortController();
  const error = new ConnectionError("timeout", `The turn took longer than ${timeoutMs} ms`, { mayHaveRun: true });
  const timer = setTimeout(() => limit.abort(error), timeoutMs);
  return {
    signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
    stopTimer: () => clearTimeout(timer),
  };
}

/** @param call Made where the turn was asked for; its stack leads to the caller's code, where the failure's own would not. */
function outcomeOf(log: TurnLog, stderr: string, call: Error): TurnResult {
  const { ended } = log;
  if (!ended) throw new Error("The turn has not ended");
  if ("error" in ended) throw ended.error;
  const result = log.result(ended.turn);
  if (ended.turn.status !== "failed") return result;
  const error = new TurnError(ended.turn.error ?? log.error ?? { message: "The turn failed" }, result, stderr);
  const frames = call.stack?.indexOf("\n    at ") ?? -1;
  if (frames >= 0) error.stack = `${error.name}: ${error.message}${call.stack?.slice(frames)}`;
  throw error;
}

/** An abort stops the work first and rejects then, so that the caller does not continue while the turn still runs. */
function withAbort<T>(settle: () => Promise<T>, signal: AbortSignal, stop: () => Promise<void>): Promise<T> {
  return new Promise((resolve, reject) => {
    let aborting = false;
    const abort = () => {
      aborting = true;
      void stop().then(() => reject(signal.reason));
    };
    const forget = onAbort(signal, abort);
    if (signal.aborted) abort();
    // In one step, so that no abort in between is lost.
    const done = (finish: () => void) => {
      forget();
      if (!aborting) finish();
    };
    settle().then(
      (value) => done(() => resolve(value)),
      (error: unknown) => done(() => reject(error)),
    );
  });
}

/** Asks the server to end the turn. Afterwards it has ended, here if not there. Never rejects. */
async function stopTurn(port: ServerPort, state: ThreadState, log: Promise<TurnLog>, reason: unknown): Promise<void> {
  const grace = new AbortController();
  let turn: TurnLog | undefined;
  const interrupted = async () => {
    turn = await log;
    if (turn.ended) return;
    await interruptTurn(port, turn);
    await turn.end();
  };
  await Promise.race([interrupted(), delay(interruptGraceMs, grace.signal)]).catch(() => undefined);
  grace.abort();
  if (turn) state.fail(turn, reason);
}

/** The calls that a handle makes for a turn of this server. */
export function controlsOf(port: ServerPort): TurnControls {
  return {
    steer: (turn, input) => steerTurn(port, turn, input),
    interrupt: (turn) => interruptTurn(port, turn),
  };
}

async function interruptTurn(port: ServerPort, { threadId, id }: TurnLog): Promise<void> {
  try {
    await port.request("turn/interrupt", { threadId, turnId: id });
  } catch (error) {
    // The turn may have ended before the server read this; its end is on its way.
    if (!RpcError.is(error)) throw error;
  }
}

async function steerTurn(port: ServerPort, { threadId, id }: TurnLog, input: TurnInput): Promise<void> {
  await port.request("turn/steer", { threadId, expectedTurnId: id, input: toUserInput(input) });
}
