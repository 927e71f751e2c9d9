import { Connection } from "@quire/jsonrpc";
import { spawnTransport } from "@quire/jsonrpc/stdio";
import { CodexClient } from "@quire/client";
const [kind, ...server] = process.argv.slice(2);
async function make(): Promise<() => Promise<unknown>> {
  if (kind === "transport" || kind === "parse") {
    const t = spawnTransport({ command: server[0]!, args: server.slice(1) });
    let done: any; let n = 0;
    t.start({ message: (text) => { n++; if (kind === "parse") { const m = JSON.parse(text); if (m.method==="turn/completed") done(n); if (m.id!==undefined) done(m.result); } else if (text.startsWith('{"method":"turn/completed"')) done(n); else if (text.startsWith('{"id"')) done(JSON.parse(text).result) }, closed() {} });
    const call = (m: string) => new Promise<any>((r) => { done = r; t.send(JSON.stringify({ method: m, id: 1 })); });
    await call("initialize"); await call("thread/start");
    return () => { return new Promise((r) => { t.send(JSON.stringify({ method: "turn/start", id: 2 })); done = (x: any) => { if (typeof x === "number") r(x) }; }); };
  }
  if (kind === "baresplit" || kind === "bareparse") {
    const { startServer } = await import("./bare-loop.ts");
    const { stdin, stdout } = startServer(server);
    let rest: Buffer = Buffer.alloc(0); let done: any; let n = 0;
    stdout.on("data", (chunk: Buffer) => {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      const end = bytes.lastIndexOf(0x0a);
      rest = bytes.subarray(end + 1);
      if (end > 0) for (const line of bytes.toString("utf8", 0, end).split("\n")) { n++; if (kind === "bareparse") JSON.parse(line); if (line.startsWith('{"method":"turn/completed"')) done(n); else if (line.startsWith('{"id"')) done(line); }
    });
    const call = (m: string) => new Promise<any>((r) => { done = r; stdin.write(JSON.stringify({ method: m, id: 1 }) + "\n"); });
    await call("initialize"); await call("thread/start");
    return () => new Promise((r) => { done = (x: any) => { if (typeof x === "number") r(x); }; stdin.write(JSON.stringify({ method: "turn/start", id: 2 }) + "\n"); });
  }
  if (kind === "connection") {
    let done: any; let n = 0;
    const c = new Connection(spawnTransport({ command: server[0]!, args: server.slice(1) }), { onNotification: (m) => { n++; if (m.method === "turn/completed") done(n); } });
    await c.request("initialize", {}); await c.request("thread/start", {});
    return () => new Promise((r) => { done = r; c.request("turn/start", {}); });
  }
  const client = await CodexClient.spawn({ command: server });
  const thread = await client.thread();
  if (kind === "await") return async () => (await thread.run("x")).agentMessage.length;
  return async () => { const t = thread.run("x"); let n = 0; for await (const e of t) if (e.type === "agentMessage.delta") n += e.delta.length; return n; };
}
const run = await make();
await run();
const c = process.cpuUsage(), b = performance.now();
const r = await run();
const { user, system } = process.cpuUsage(c);
console.log(kind!.padEnd(12), "wall", (performance.now() - b).toFixed(0), "cpu", ((user + system) / 1000).toFixed(0), "rss", (process.resourceUsage().maxRSS / 1024).toFixed(0), r);
process.exit();
