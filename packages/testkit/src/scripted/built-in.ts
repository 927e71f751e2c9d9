import { RpcError } from "@quire/jsonrpc";
import { codexVersion } from "@quire/protocol/version";
import { threadReply } from "./shapes.ts";
import type { ScriptedThread, ScriptedThreads } from "./threads.ts";

/** A reply, and what shall happen once it was sent. */
export interface BuiltInReply {
  readonly result: unknown;
  readonly after?: () => void;
}

type Params = Readonly<Record<string, unknown>>;
type Notify = (method: string, params: Params) => void;
type Method = (params: Params) => BuiltInReply;

/** The methods that a scripted server handles without a script, with the errors of the real one. */
export function builtInMethods(
  threads: ScriptedThreads,
  notify: Notify,
): (method: string, params: unknown) => BuiltInReply {
  let initialized = false;

  const threadOf = (params: Params, complaint: string): ScriptedThread => {
    const thread = threads.get(String(params.threadId));
    if (!thread) throw refused(`${complaint} ${params.threadId}`);
    return thread;
  };

  const methods: Readonly<Record<string, Method>> = {
    initialize(params) {
      if (initialized) throw refused("Already initialized");
      initialized = true;
      const { name = "client" } = (params.clientInfo ?? {}) as Params;
      const userAgent = `${name}/${codexVersion} (scripted)`;
      return { result: { userAgent, codexHome: "/scripted", platformFamily: "unix", platformOs: "linux" } };
    },
    "thread/start"(params) {
      const thread = threads.add(typeof params.cwd === "string" ? params.cwd : "/");
      const result = threadReply(thread.id, thread.cwd);
      return { result, after: () => notify("thread/started", { thread: result.thread }) };
    },
    "thread/resume"(params) {
      const thread = threadOf(params, "no rollout found for thread id");
      return { result: threadReply(thread.id, thread.cwd) };
    },
    "turn/start"(params) {
      const { id, begin } = threads.nextTurn(threadOf(params, "thread not found:"), params.input);
      const turn = { id, rootTurnId: id, items: [], itemsView: "notLoaded", status: "inProgress", error: null };
      return { result: { turn: { ...turn, startedAt: null, completedAt: null, durationMs: null } }, after: begin };
    },
    "turn/steer"(params) {
      const { turn } = threadOf(params, "thread not found:");
      if (!turn) throw refused("no active turn to steer");
      return { result: { turnId: turn.id } };
    },
    "turn/interrupt"(params) {
      const { turn } = threadOf(params, "thread not found:");
      if (!turn) throw refused("no active turn to interrupt");
      if (params.turnId !== turn.id) throw refused(`expected active turn id ${params.turnId} but found ${turn.id}`);
      return { result: {}, after: () => turn.interrupt.abort() };
    },
  };

  return (method, params) => {
    if (!initialized && method !== "initialize") throw refused("Not initialized");
    const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (handler) return handler((params ?? {}) as Params);
    throw new RpcError({ code: -32601, message: `Nothing is scripted for ${method}: server.on("${method}", answer)` });
  };
}

function refused(message: string): RpcError {
  return new RpcError({ code: -32600, message });
}
