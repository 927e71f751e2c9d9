import type { Transport } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";

/** Size of the long thread: 10 MB of text in all. */
export const size = { turns: 400, itemsPerTurn: 50, charactersPerItem: 500 } as const;

/** Pieces of the streamed message. */
export const deltas = 20_000;

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly threadId?: string };
}

/**
 * A server that holds one long thread and streams long messages. It says to be 0.118, which gives histories whole: a
 * newer one gives them in pages, which is less for the page to do.
 */
export function longHub(): Transport {
  const [near, far] = memoryPair();
  const say = (message: object): void => far.send(JSON.stringify(message));
  const answers: Readonly<Record<string, (params: Message["params"]) => unknown>> = {
    initialize: () => ({ userAgent: "bench/0.118.0 (bench)" }),
    "thread/list": () => ({ data: [thread("long"), thread("stream")], nextCursor: null }),
    "thread/loaded/list": () => ({ data: [] }),
    "thread/resume": (params) => opened(params?.threadId ?? ""),
    "thread/read": (params) => opened(params?.threadId ?? ""),
    "turn/start": () => ({ turn: { id: "live", items: [], status: "inProgress", error: null } }),
    "model/list": () => ({ data: [], nextCursor: null }),
  };
  far.start({
    message(text) {
      const { id, method = "", params } = JSON.parse(text) as Message;
      if (id === undefined) return;
      const answer = answers[method];
      if (answer === undefined) return say({ id, error: { code: -32601, message: `no ${method} here` } });
      say({ id, result: answer(params) });
      if (method === "turn/start") void stream(say);
    },
    closed: () => undefined,
  });
  return near;
}

/** Twenty pieces at a time, about as fast as a very fast model. */
async function stream(say: (message: object) => void): Promise<void> {
  const at = { threadId: "stream", turnId: "live" };
  const tell = (method: string, params: object): void => say({ method, params: { ...at, ...params } });
  tell("turn/started", { turn: { id: "live", items: [], status: "inProgress", error: null } });
  tell("item/started", { item: { type: "agentMessage", id: "said", text: "" } });
  let text = "";
  for (let index = 0; index < deltas; index++) {
    const delta = index % 60 === 59 ? ".\n\n" : `word${index} `;
    text += delta;
    tell("item/agentMessage/delta", { itemId: "said", delta });
    if (index % 20 === 19) await Bun.sleep(5);
  }
  tell("item/completed", { item: { type: "agentMessage", id: "said", text } });
  tell("turn/completed", { turn: { id: "live", items: [], status: "completed", error: null } });
}

function thread(id: string): object {
  const common = { preview: `The ${id} thread`, modelProvider: "bench", cwd: "/tmp", cliVersion: "0.118.0" };
  return { id, ...common, source: "appServer", status: { type: "idle" }, createdAt: 1, updatedAt: 2, turns: [] };
}

function opened(id: string): object {
  const turns = id === "long" ? longTurns() : [];
  const settings = { model: "bench", modelProvider: "bench", cwd: "/tmp", approvalPolicy: "never" };
  return {
    thread: { ...thread(id), turns },
    ...settings,
    sandbox: { type: "dangerFullAccess" },
    reasoningEffort: null,
  };
}

function longTurns(): object[] {
  return Array.from({ length: size.turns }, (_, turn) => ({
    id: `turn-${turn}`,
    status: "completed",
    error: null,
    items: Array.from({ length: size.itemsPerTurn }, (_, index) => item(turn, index)),
  }));
}

/** Messages, commands with output, and messages with code, in turn. */
function item(turn: number, index: number): object {
  const id = `item-${turn}-${index}`;
  const words = `Item ${index} of turn ${turn}. `;
  const text = words.repeat(Math.ceil(size.charactersPerItem / words.length)).slice(0, size.charactersPerItem);
  if (index === 0) return { type: "userMessage", id, content: [{ type: "text", text, text_elements: [] }] };
  if (index % 3 === 1) {
    const run = { command: `echo ${index}`, cwd: "/tmp", processId: null, status: "completed", commandActions: [] };
    return { type: "commandExecution", id, ...run, aggregatedOutput: text, exitCode: 0, durationMs: 12 };
  }
  if (index % 3 === 2) return { type: "agentMessage", id, text: `\`\`\`ts\n${text.replaceAll(". ", ";\n")}\n\`\`\`` };
  return { type: "agentMessage", id, text: text.replaceAll("Item", "**Item**") };
}
