import type { ThreadHandle, TurnOptions, TurnResult } from "@quire/client";
import { checkInput } from "@quire/client/guards";
import type { StructuredOutput } from "../output/structured-output.ts";
import type { CompletionChecker } from "../prompt/completion.ts";
import type { Session } from "../session/session.ts";
import type { Filesystem } from "../workspace/filesystem.ts";
import { type EventsRequest, FollowedEvents } from "./follow-events.ts";
import { type FollowOptions, followTurn } from "./follow-turn.ts";
import type { AgentModelConfig } from "./model-config.ts";

/** The parts that the turns of an evaluation need. */
export interface TurnsRequest extends FollowOptions, EventsRequest {
  readonly thread: ThreadHandle;
  readonly text: string;
  readonly model: AgentModelConfig;
  readonly output: StructuredOutput<unknown> | undefined;
  readonly completion: CompletionChecker | undefined;
  readonly session: Session;
  readonly filesystem: Filesystem | undefined;
  readonly promptName: string;
  /** Counts a turn that is about to start. Throws where none may. */
  beginTurn(): void;
}

/** The limit of continuation turns. */
const mostContinuations = 10;

/** Runs the prompt, and further turns on the same thread while the completion checker has something to say. */
export async function runTurns(request: TurnsRequest): Promise<TurnResult> {
  let input = request.text;
  for (let continuations = 0; ; continuations++) {
    const result = await runTurn(request, input, continuations + 1);
    const feedback = continuations < mostContinuations ? await continueWith(request, result) : undefined;
    if (feedback === undefined) return result;
    request.emit?.({ type: "prompt.continued", feedback });
    input = feedback;
  }
}

async function runTurn(request: TurnsRequest, given: string, number: number): Promise<TurnResult> {
  const { thread, model, output, watch, limits, hooks, promptName, session } = request;
  const context = { threadId: thread.id, turn: number, signal: limits.handlerSignal, promptName, session };
  const input = await limits.guard(checkInput(given, hooks, context).catch(throwRefused));
  request.beginTurn();
  const events = new FollowedEvents(request, context);
  const { effort, summary, personality } = model;
  const set = Object.entries({ effort, summary, personality }).filter(([, value]) => value !== undefined);
  const overrides: TurnOptions = Object.fromEntries(set);
  // The schema goes as it is, and is not part of the options' type: reading the answer is up to us.
  const options = output ? { ...overrides, outputSchema: output.outputSchema } : overrides;
  watch.expectTurn();
  const result = await followTurn(
    thread,
    () => {
      const turn = thread.run(input, options);
      void turn.id.then((id) => watch.turnIs(id)).catch(() => undefined);
      events.follow(turn);
      return turn;
    },
    request,
  );
  // Events before the result: a reader sees the last of them before the evaluation has ended.
  await events.finish(result);
  return result;
}

/** An input was refused, by a hook or guardrail: `cause` says why. */
export class InputRefused extends Error {
  override readonly name: string = "InputRefused";
}

function throwRefused(cause: unknown): never {
  throw new InputRefused("The input was refused", { cause });
}

/** The feedback for the next turn; undefined when the work is done, or the limit is reached. */
async function continueWith(request: TurnsRequest, result: TurnResult): Promise<string | undefined> {
  const { completion, limits, output, session, filesystem } = request;
  if (!completion || limits.signal.aborted || result.status !== "completed") return undefined;
  const text = result.agentMessage === "" ? null : result.agentMessage;
  const parsed = output ? await output.parse(result.agentMessage) : undefined;
  const verdict = await completion.check({ session, text, output: parsed?.ok ? parsed.value : undefined, filesystem });
  // The check may have taken its time.
  if (verdict.complete || limits.signal.aborted) return undefined;
  return verdict.feedback === "" ? undefined : verdict.feedback;
}
