import { Connection, type Transport, type TransportSink } from "@quire/jsonrpc";
import { CodexClient } from "@quire/client";
const [kind, reps = "1"] = process.argv.slice(2);
const threadId = "0199a213-81c0-7800-8aa1-bbab2a035a53", itemId = "msg_68c1a7d0f4a88191a2f1";
const N = 100_000;
let turnNo = 0;
const note = (method: string, params: unknown) => JSON.stringify({ method, params, emittedAtMs: 1763000000000 });
function texts(turnId: string) { const out = [note("turn/started", { threadId, turn: { id: turnId, items: [], status: "inProgress", error: null } })];
  for (let n = 0; n < N; n++) out.push(note("item/agentMessage/delta", { threadId, turnId, itemId, delta: `word ${n} ` }));
  out.push(note("turn/completed", { threadId, turn: { id: turnId, items: [], status: "completed", error: null } })); return out; }
// one big string, sliced as framing does
class Stub implements Transport {
  sink!: TransportSink; buffered = 0; paused = false; big = ""; at = 0;
  start(s: TransportSink) { this.sink = s; }
  send(text: string) { const m = JSON.parse(text); if (m.id === undefined) return;
    const result = m.method === "initialize" ? { userAgent: "x/0.166.0 (a)" } : m.method === "thread/start" ? { thread: { id: threadId, turns: [] } } : { turn: { id: `turn-${++turnNo}`, items: [], status: "inProgress" } };
    queueMicrotask(() => { this.sink.message(JSON.stringify({ id: m.id, result })); if (m.method === "turn/start") { this.big = bigs[turnNo - 1]!; this.at = 0; this.pump(); } });
  }
  pump() { setImmediate(() => { let n = 0; while (n++ < 600 && this.at < this.big.length && !this.paused) { const e = this.big.indexOf("\n", this.at); const l = this.big.slice(this.at, e); this.at = e + 1; this.sink.message(l); } if (this.at < this.big.length && !this.paused) this.pump(); }); }
  drain() { return Promise.resolve(); } pause() { this.paused = true; } resume() { this.paused = false; this.pump(); } async close() {}
}
const R = Number(reps);
const bigs = Array.from({ length: R }, (_, i) => texts(`turn-${i + 1}`).join("\n") + "\n");
async function make(): Promise<() => Promise<unknown>> {
  const t = new Stub();
  if (kind === "parse") { let done: any; t.start({ message: (x) => { const m = JSON.parse(x); if (m.method === "turn/completed") done(); }, closed() {} }); return () => new Promise((r) => { done = r; t.big = bigs[turnNo++]!; t.at = 0; t.pump(); }); }
  if (kind === "connection") { let done: any; new Connection(t, { onNotification: (m) => { if (m.method === "turn/completed") done(); } }); return () => new Promise((r) => { done = r; t.big = bigs[turnNo++]!; t.at = 0; t.pump(); }); }
  const client = new CodexClient({ transport: t }); await client.connect(); const thread = await client.thread();
  if (kind === "await") return async () => (await thread.run("x")).agentMessage.length;
  return async () => { const t = thread.run("x"); let n = 0; for await (const e of t) if (e.type === "agentMessage.delta") n += e.delta.length; return n; };
}
const run = await make();
const out = [];
for (let i = 0; i < R; i++) { const c = process.cpuUsage(); await run(); const { user, system } = process.cpuUsage(c); out.push(Math.round((user + system) / 1000)); }
console.log(JSON.stringify([kind, ...out, Math.round(process.resourceUsage().maxRSS / 1024)]));
process.exit();
