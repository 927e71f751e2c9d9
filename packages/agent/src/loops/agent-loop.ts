import type { CodexAgent } from "../evaluate/codex-agent.ts";
import type { EvaluateOptions, Evaluation, OutputOf } from "../evaluate/evaluation.ts";
import type { Prompt } from "../prompt/prompt.ts";
import { Session } from "../session/session.ts";
import { type DebugBundle, debugBundle, type LogLine } from "../transcript/debug-bundle.ts";
import type { TranscriptEntry } from "../transcript/transcript-entry.ts";
import { evaluateWithExpansion } from "./expansion.ts";

/** A request made ready. */
export interface PreparedRequest<Output> {
  readonly prompt: Prompt<unknown, Output>;
  /** Limits and whatever else holds for the evaluation. */
  readonly options?: EvaluateOptions | undefined;
}

/** The steps of one request. */
export interface AgentLoop<Request, Output, Result = Evaluation<OutputOf<Output>>> {
  /** Makes the prompt, and what it needs. */
  prepare(
    request: Request,
    context: { readonly session: Session },
  ): PreparedRequest<Output> | Promise<PreparedRequest<Output>>;
  /** Makes the result: fills in what the model was not asked for, such as ids and times. Default: the evaluation. */
  finalize?(
    evaluation: Evaluation<OutputOf<Output>>,
    context: { readonly request: Request; readonly session: Session },
  ): Result | Promise<Result>;
  /** Frees what `prepare` made; called in any case. The prompt's own sections are cleaned up before. */
  cleanup?(context: { readonly request: Request; readonly session: Session }): void | Promise<void>;
  /** Gets all that is known at the end, for a report. */
  onBundle?(bundle: DebugBundle): void;
}

/** Lines and entries of a bundle; with more, the oldest are dropped. */
const mostKept = 10_000;

/** Works on one request: prepares, evaluates (opening sections as the model asks for them), finalizes, cleans up. */
export async function runAgentLoop<Request, Output, Result = Evaluation<OutputOf<Output>>>(
  agent: CodexAgent,
  request: Request,
  loop: AgentLoop<Request, Output, Result>,
): Promise<Result> {
  let session = new Session();
  const entries: TranscriptEntry[] = [];
  const logs: LogLine[] = [];
  const noted = agent.withLogger((level, message) => keep(logs, { level, message }));
  let prompt: Prompt<unknown, Output> | undefined;
  let failure: unknown;
  try {
    const prepared = await loop.prepare(request, { session });
    prompt = prepared.prompt;
    session = prepared.options?.session ?? session;
    const onTranscript = (entry: TranscriptEntry) => {
      keep(entries, entry);
      prepared.options?.onTranscript?.(entry);
    };
    const evaluation = await evaluateWithExpansion(noted, prompt, { ...prepared.options, session, onTranscript });
    return loop.finalize ? await loop.finalize(evaluation, { request, session }) : (evaluation as unknown as Result);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    await prompt?.cleanup();
    await loop.cleanup?.({ request, session });
    loop.onBundle?.(debugBundle({ session, transcript: entries, logs, error: failure }));
  }
}

function keep<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > mostKept) list.splice(0, mostKept / 2);
}
