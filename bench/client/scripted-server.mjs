/**
 * The server that every contestant talks to: an app-server with nothing behind it. Plain JavaScript and quick to start, so
 * that the client's share shows. The first turn has one delta; the second has as many as the environment variable DELTAS
 * says, serialised before its thread's start is answered, and is written as fast as the client reads.
 */
import { readSync, writeSync } from "node:fs";

const threadId = "0199a213-81c0-7800-8aa1-bbab2a035a53";
const itemId = "msg_68c1a7d0f4a88191a2f1";
/** The Codex that it passes for. */
const version = process.argv[2];
const deltas = Number(process.env.DELTAS ?? 1);
/** Between the reply to a turn's start and its first event; for a client that loses events which come at once. */
const pauseMs = Number(process.env.PAUSE_MS ?? 0);
const now = 1_763_000_000_000;
const thread = {
  id: threadId,
  preview: "",
  ephemeral: false,
  modelProvider: "scripted",
  createdAt: 1_763_000_000,
  updatedAt: 1_763_000_000,
  status: { type: "idle" },
  path: null,
  cwd: "/",
  cliVersion: version,
  source: "appServer",
  gitInfo: null,
  name: null,
  projectId: null,
  sessionId: threadId,
  turns: [],
};

const notification = (method, params) => `${JSON.stringify({ method, params, emittedAtMs: now })}\n`;
const turnOf = (id, status) => ({ id, items: [], itemsView: "notLoaded", status, error: null });

/** All that one turn sends after the reply to its start. */
function turnBytes(turnId, count) {
  const of = { threadId, turnId };
  const parts = [
    notification("turn/started", { threadId, turn: turnOf(turnId, "inProgress") }),
    notification("item/started", { ...of, item: { type: "agentMessage", id: itemId, text: "" }, startedAtMs: now }),
  ];
  let text = "";
  for (let n = 0; n < count; n++) {
    const delta = `word ${n} `;
    text += delta;
    parts.push(notification("item/agentMessage/delta", { ...of, itemId, delta }));
  }
  const usage = { totalTokens: 9, inputTokens: 4, cachedInputTokens: 0, outputTokens: 5, reasoningOutputTokens: 0 };
  parts.push(
    notification("item/completed", { ...of, item: { type: "agentMessage", id: itemId, text }, completedAtMs: now }),
    notification("thread/tokenUsage/updated", {
      ...of,
      tokenUsage: { total: usage, last: usage, modelContextWindow: null },
    }),
    notification("turn/completed", { threadId, turn: turnOf(turnId, "completed") }),
  );
  return Buffer.from(parts.join(""));
}

let prepared;
let turns = 0;
/** The events of a turn whose start is being answered; they follow the reply. */
let events;

/** Blocks until all is taken; a pipe that is not blocking is asked again. */
function write(bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at, Math.min(bytes.length - at, 1 << 20));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

function answer(line) {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return "";
  const reply = (result) => `${JSON.stringify({ id, result })}\n`;
  switch (method) {
    case "initialize":
      return reply({
        userAgent: `scripted/${version} (bench)`,
        codexHome: "/",
        platformFamily: "unix",
        platformOs: "linux",
      });
    case "thread/start":
    case "thread/resume":
      prepared ??= [turnBytes("turn-1", 1), turnBytes("turn-2", deltas)];
      return reply({ thread, model: "scripted", modelProvider: "scripted", cwd: "/", reasoningEffort: null });
    case "turn/start":
      events = prepared[turns++];
      return reply({ turn: turnOf(`turn-${turns}`, "inProgress") });
    default:
      return reply({ data: [], nextCursor: null });
  }
}

/** Replies to what needs no thread, the common case of many calls in flight, without parsing more than the id. */
const plain = /^\{"method":"thread\/loaded\/list","id":(\d+)/;

const chunk = Buffer.allocUnsafe(1 << 16);
let rest = "";
for (;;) {
  let length;
  try {
    length = readSync(0, chunk);
  } catch (error) {
    if (error.code !== "EAGAIN") throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    continue;
  }
  if (length === 0) break;
  const lines = (rest + chunk.latin1Slice(0, length)).split("\n");
  rest = lines.pop() ?? "";
  let out = "";
  for (const line of lines) {
    const id = plain.exec(line)?.[1];
    out += id === undefined ? answer(line) : `{"id":${id},"result":{"data":[],"nextCursor":null}}\n`;
  }
  if (out !== "") write(Buffer.from(out));
  if (events) {
    if (pauseMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    write(events);
    events = undefined;
  }
}
