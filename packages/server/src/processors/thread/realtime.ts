import type { ThreadRealtimeStartParams } from "@quire/protocol";
import type { Handlers, RequestScope } from "../../processor.ts";
import type { RealtimeSession } from "../../realtime/realtime-session.ts";
import { coreOf } from "../../thread/core.ts";
import type { Thread } from "../../thread/thread.ts";
import { afterReply } from "./common.ts";

/** A voice beside a thread. What it needs is loaded when one is asked for. */
export const handlers: Handlers = {
  "thread/realtime/listVoices": async () => {
    const { voices } = await import("../../realtime/voices.ts");
    return { voices: voices() };
  },

  "thread/realtime/start": (params, { server }) => {
    const thread = coreOf(server).threads.require(params.threadId);
    afterReply(() => {
      start(thread, params).catch((error: unknown) =>
        refuse(thread, error instanceof Error ? error.message : String(error)),
      );
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
    const { realtime } = thread;
    thread.realtime = undefined;
    afterReply(() => {
      if (realtime?.isOpen) realtime.close();
      else thread.notify("thread/realtime/closed", { threadId, reason: "requested" });
    });
    return {};
  },
};

async function start(thread: Thread, params: ThreadRealtimeStartParams): Promise<void> {
  const { configuredVersion, endpointOf, text } = await import("../../realtime/endpoint.ts");
  const { RealtimeSession } = await import("../../realtime/realtime-session.ts");
  const { defaultInstructions } = await import("../../realtime/session-update.ts");
  const version = params.version ?? configuredVersion(thread.config) ?? "v2";
  if ((params.initialItems ?? []).length > 0) throw new Error("initial realtime items require realtime v3");
  if (version !== "v2") throw new Error(`realtime ${version} is not served; use v2`);
  if (params.transport && params.transport.type !== "websocket")
    throw new Error(`the transport ${params.transport.type} is not served; use websocket`);
  const endpoint = await endpointOf(thread, { model: params.model ?? null });
  if (endpoint === undefined) throw new Error("realtime conversation requires API key auth");
  thread.realtime?.close();
  thread.realtime = new RealtimeSession(thread, endpoint, {
    id: params.realtimeSessionId ?? thread.id,
    instructions:
      params.prompt ?? text(thread.config, "experimental_realtime_ws_backend_prompt") ?? defaultInstructions,
    modality: params.outputModality,
    voice: params.voice ?? "marin",
  });
}

function refuse(thread: Thread, message: string): void {
  thread.notify("thread/realtime/error", { threadId: thread.id, message });
}

/** Does something with the voice; where there is none, all who listen to the thread hear of it. */
function withSession(
  threadId: string,
  { server }: RequestScope,
  work: (session: RealtimeSession) => void,
): Record<string, never> {
  const thread = coreOf(server).threads.require(threadId);
  if (thread.realtime?.isOpen) work(thread.realtime);
  else afterReply(() => tellNone(thread));
  return {};
}

function tellNone(thread: Thread): void {
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
