import type { Thread, Turn, UserInput } from "@quire/protocol";
import { type CallOptions, type Reply, reply } from "@quire/testkit";
import type { Peer } from "./peer.ts";

/** A thread id that no server knows. */
export const unknownThread = "01990000-0000-7000-8000-000000000000";

/** Text as input of a turn. */
export function text(words: string): UserInput {
  return { type: "text", text: words, text_elements: [] };
}

/** Starts a thread. */
export async function startThread(peer: Peer, params: object = {}): Promise<Thread> {
  const { thread } = await peer.result("thread/start", params);
  await peer.waitFor("thread/started", (started) => started.thread.id === thread.id);
  return thread;
}

/** Starts a turn and does not wait for its end. */
export async function beginTurn(peer: Peer, { id }: Thread, words: string, params: object = {}): Promise<Turn> {
  const { turn } = await peer.result("turn/start", { threadId: id, input: [text(words)], ...params });
  return turn;
}

/** One turn from start to end, as it ended. */
export async function runTurn(peer: Peer, thread: Thread, words: string, params: object = {}): Promise<Turn> {
  await beginTurn(peer, thread, words, params);
  return endOfTurn(peer);
}

/** Waits for the next end of a turn. */
export async function endOfTurn(peer: Peer): Promise<Turn> {
  const { turn } = await peer.waitFor("turn/completed");
  return turn;
}

/** Waits until the model has begun to answer with these words. */
export async function answerBegins(peer: Peer, words: string): Promise<void> {
  await peer.waitFor("item/agentMessage/delta", ({ delta }) => delta === words);
}

/** The model runs a command. */
export function command(cmd: string, more: object = {}, options: CallOptions = { callId: "call-1" }): Reply {
  return reply().functionCall("exec_command", { cmd, ...more }, options);
}

/** Sends a request with each of these params, one after the other. */
export async function requestEach(peer: Peer, method: string, variants: readonly unknown[]): Promise<void> {
  for (const params of variants) await peer.request(method, params);
}
