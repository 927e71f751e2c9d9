import type { ThreadRealtimeStartParams } from "@quire/protocol";
import type { Handlers, RequestScope } from "../../context/processor.ts";
import { coreOf } from "../../features/open-core.ts";
import { voiceOf } from "../../features/realtime/index.ts";
import type { RealtimeSession } from "../../features/realtime/realtime-session.ts";
import { afterReply } from "../../lib/after-reply.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { invalidRequest } from "../../lib/rpc-errors.ts";
import type { Thread } from "../../thread/thread.ts";

/** Voice sessions of threads. Their code is loaded on use. */
export const handlers: Handlers = {
  "thread/realtime/listVoices": async () => {
    const { voices } = await import("../../features/realtime/voices.ts");
    return { voices: voices() };
  },

  "thread/realtime/start": (params, { server }) => {
    const thread = coreOf(server).threads.require(params.threadId);
    if (params.transport?.type === "existingCall") checkJoining(params);
    afterReply(() => {
      start(thread, params).catch((error: unknown) => refuse(thread, errorMessage(error)));
    });
    return {};
  },

  "thread/realtime/appendAudio": ({ threadId, audio }, scope) =>
    withSession(threadId, scope, (session) => session.appendAudio(audio)),

  "thread/realtime/appendText": ({ threadId, text, role }, scope) =>
    withSession(threadId, scope, (session) => session.appendText(text, role ?? "user")),

  "thread/realtime/appendSpeech": ({ threadId, text }, scope) =>
    withSession(threadId, scope, (session) => session.appendSpeech(text)),

  "thread/realtime/stop": ({ threadId }, { server }) => {
    const thread = coreOf(server).threads.require(threadId);
    const voice = voiceOf(thread);
    const { session } = voice;
    voice.session = undefined;
    afterReply(() => {
      if (session?.isOpen) session.close();
      else thread.notify("thread/realtime/closed", { threadId, reason: "requested" });
    });
    return {};
  },
};

async function start(thread: Thread, params: ThreadRealtimeStartParams): Promise<void> {
  const { startRealtime } = await import("../../features/realtime/start-realtime.ts");
  startRealtime(thread, params);
}

/** A running call was set up by its creator. */
function checkJoining(params: ThreadRealtimeStartParams): void {
  const { prompt, model, voice, includeStartupContext, initialItems, delegationAckFiller } = params;
  const set = {
    // `null` is the wish for no instructions.
    prompt: prompt !== undefined,
    model: model != null,
    voice: voice != null,
    includeStartupContext: includeStartupContext != null,
    initialItems: (initialItems ?? []).length > 0,
    delegationAckFiller: delegationAckFiller != null,
  };
  const [first] = Object.entries(set).find(([, isSet]) => isSet) ?? [];
  if (first !== undefined) throw invalidRequest(`existingCall transport does not support ${first}`);
}

function refuse(thread: Thread, message: string): void {
  thread.notify("thread/realtime/error", { threadId: thread.id, message });
}

/** Runs something on the voice session; without one, notifies all subscribers. */
function withSession(
  threadId: string,
  { server }: RequestScope,
  work: (session: RealtimeSession) => void,
): Record<string, never> {
  const thread = coreOf(server).threads.require(threadId);
  const { session } = voiceOf(thread);
  if (session?.isOpen) work(session);
  else afterReply(() => notifyNoSession(thread));
  return {};
}

function notifyNoSession(thread: Thread): void {
  thread.setStatus({ type: "systemError" });
  thread.notify("error", {
    threadId: thread.id,
    turnId: Bun.randomUUIDv7(),
    willRetry: false,
    error: {
      message: "conversation is not running",
      codexErrorInfo: "badRequest",
      additionalDetails: null,
      misalignment: null,
    },
  });
}
