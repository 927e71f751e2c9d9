import type { Thread, Turn, UserInput } from "@quire/protocol";
import { type CallOptions, eventually, type Reply, reply } from "@quire/testkit";
import { type Peer, patienceMs } from "./peer.ts";

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

/** Runs a turn and returns it as it ended. */
export async function runTurn(peer: Peer, thread: Thread, words: string, params: object = {}): Promise<Turn> {
  const { id } = await beginTurn(peer, thread, words, params);
  return endOfTurn(peer, id);
}

/** Waits for the end of a turn, or of any, and until it can be read back: the real server writes after it has spoken. */
export async function endOfTurn(peer: Peer, turnId?: string): Promise<Turn> {
  const isMeant = (ended: Turn) => turnId === undefined || ended.id === turnId;
  const { threadId, turn } = await peer.waitFor("turn/completed", (completed) => isMeant(completed.turn));
  const isReadBack = async () => {
    const page = await peer.probe("thread/turns/list", { threadId, limit: 1, itemsView: "full" });
    const stored = page?.data[0];
    // A thread that is not stored cannot be asked.
    if (stored === undefined) return true;
    // Threads of older versions give items other ids when they are read.
    const isThere = turn.items.every(({ type }) => stored.items.some((item) => item.type === type));
    return stored.id === turn.id && stored.status === turn.status && isThere && (await isIdle(peer, threadId));
  };
  await eventually(isReadBack, { timeoutMs: patienceMs, what: "a turn that can be read back" });
  return turn;
}

async function isIdle(peer: Peer, threadId: string): Promise<boolean> {
  const answer = await peer.probe("thread/read", { threadId });
  return answer?.thread.status.type !== "active";
}

/** Waits until the model has started to answer with these words. */
export async function answerBegins(peer: Peer, words: string): Promise<void> {
  await peer.waitFor("item/agentMessage/delta", ({ delta }) => delta === words);
}

/** The model runs a command. */
export function command(cmd: string, more: object = {}, options: CallOptions = { callId: "call-1" }): Reply {
  return reply().functionCall("exec_command", { cmd, ...more }, options);
}

/** A line of a shell that waits until the scenario has put the file there, however long that takes. */
export function until(file: string): string {
  return `until [ -e ${file} ]; do sleep 0.05; done`;
}

/** Sends a request with each of these params, one after the other. */
export async function requestEach(peer: Peer, method: string, variants: readonly unknown[]): Promise<void> {
  for (const params of variants) await peer.request(method, params);
}
