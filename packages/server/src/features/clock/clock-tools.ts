import type { FunctionCallOutputBody } from "@quire/protocol";
import { type ToolContext, ToolFailure } from "../../approval/tool-context.ts";
import { pause, systemClock } from "../../model/clock.ts";
import type { ToolSpec } from "../../model/model-provider.ts";
import type { ToolCall } from "../../record/tool-call.ts";
import type { Thread } from "../../thread/thread.ts";
import { Arguments } from "../../tools/arguments.ts";
import type { Tool, ToolGroup } from "../../tools/tool.ts";
import { formatTime } from "./reminder.ts";
import { readClock } from "./thread-clock.ts";
import { timeSettings } from "./time-settings.ts";

const namespace = "clock";
const maxSleepMs = 12 * 60 * 60 * 1000;
/** Interval of questions to a client's clock while the model waits. */
const askEveryMs = 1000;

const currentTime: ToolSpec = {
  type: "function",
  name: "curr_time",
  description: "Gives the time in UTC.",
  strict: false,
  parameters: { type: "object", properties: {}, additionalProperties: false },
};

const sleep: ToolSpec = {
  type: "function",
  name: "sleep",
  description: "Waits. Ends early when the user says something.",
  strict: false,
  parameters: {
    type: "object",
    properties: { duration_ms: { type: "number", description: `How long: 1 to ${maxSleepMs} milliseconds.` } },
    required: ["duration_ms"],
    additionalProperties: false,
  },
};

/** Tools to read the time and to wait; none when the model does not get the time. */
export function clockTools(thread: Thread): ToolGroup[] {
  const settings = timeSettings(thread.config.raw);
  if (settings === undefined) return [];
  const specs = [currentTime, ...(settings.sleeps ? [sleep] : [])];
  const tools: readonly Tool[] = [
    { spec: undefined, name: "curr_time", namespace, run: (_, { signal }) => sendTime(thread, signal) },
    ...(settings.sleeps
      ? [
          {
            spec: undefined,
            name: "sleep",
            namespace,
            run: (call: ToolCall, at: ToolContext) => wait(thread, call, at),
          },
        ]
      : []),
  ];
  const description = "The time, and waiting for it to pass.";
  return [{ spec: { type: "namespace", name: namespace, description, tools: specs }, tools, dispensable: true }];
}

async function sendTime(thread: Thread, signal: AbortSignal): Promise<FunctionCallOutputBody> {
  return formatTime(await readClock(thread, signal));
}

async function wait(thread: Thread, call: ToolCall, context: ToolContext): Promise<FunctionCallOutputBody> {
  const durationMs = new Arguments(call).requiredInteger("duration_ms");
  if (durationMs < 1 || durationMs > maxSleepMs)
    throw new ToolFailure(`duration_ms must be between 1 and ${maxSleepMs}`);
  const began = performance.now();
  const item = { type: "sleep" as const, id: call.callId, durationMs, startedAtMs: Date.now() };
  context.startItem(item);
  const early = new AbortController();
  const stop = thread.active?.onInput(() => early.abort());
  try {
    const signal = AbortSignal.any([context.signal, early.signal]);
    const pass = timeSettings(thread.config.raw)?.external ? passesForClient(thread, durationMs, signal) : undefined;
    await (pass ?? pause(systemClock, durationMs, signal));
  } catch (error) {
    if (!early.signal.aborted || context.signal.aborted) throw error;
  } finally {
    stop?.();
    context.completeItem(item);
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(4);
  const end = early.signal.aborted ? "Sleep interrupted by new input." : "Sleep completed.";
  return `Wall time: ${seconds} seconds\n${end}`;
}

/** Settles when so much time has passed by the client's clock, which may have another speed. */
async function passesForClient(thread: Thread, ms: number, signal: AbortSignal): Promise<void> {
  const until = (await readClock(thread, signal)).getTime() + ms;
  do await pause(systemClock, askEveryMs, signal);
  while ((await readClock(thread, signal)).getTime() < until);
}
