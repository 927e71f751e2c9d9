import process from "node:process";
import { bareLoop, startServer } from "./bare-loop.ts";
import { peakMb } from "./peak.ts";
import { calls, inFlight } from "./sizes.ts";

const method = "thread/loaded/list";

type Call = () => Promise<unknown>;

/** Sends one line, at once or with the others of its tick. */
function bareCalls(server: readonly string[], sender: (write: (text: string) => void) => (text: string) => void): Call {
  const { stdin, stdout } = startServer(server);
  const pending = new Map<number, (result: unknown) => void>();
  let next = 0;
  const send = sender((text) => stdin.write(text));
  bareLoop(stdout, ({ id = -1, result }) => {
    pending.get(id)?.(result);
    pending.delete(id);
  });
  return () =>
    new Promise((resolve) => {
      const id = next++;
      pending.set(id, resolve);
      send(`${JSON.stringify({ method, id, params: {} })}\n`);
    });
}

function batched(write: (text: string) => void): (text: string) => void {
  let outgoing = "";
  const flush = () => {
    write(outgoing);
    outgoing = "";
  };
  return (text) => {
    if (outgoing === "") queueMicrotask(flush);
    outgoing += text;
  };
}

/** Ways to keep many calls in flight. */
const callContestants: Record<string, (server: readonly string[]) => Promise<Call>> = {
  bare: async (server) => bareCalls(server, (write) => write),
  /** The same with all requests of one tick in one write, as our connection sends them: what is left is its own cost. */
  "bare, batched": async (server) => bareCalls(server, batched),
  quire: async (command) => {
    const { CodexClient } = await import("@quire/client");
    const client = await CodexClient.spawn({ command });
    return () => client.request(method, {});
  },
  "json-rpc-2.0": async (server) => {
    const { JSONRPCClient } = await import("json-rpc-2.0");
    const { stdin, stdout } = startServer(server);
    // Its requests name the version first and the id before the method, which the server parses in full: little beside its own cost.
    const client = new JSONRPCClient((request) => void stdin.write(`${JSON.stringify(request)}\n`));
    bareLoop(stdout, (message) => {
      message.jsonrpc = "2.0";
      client.receive(message as never);
    });
    return async () => client.request(method, {});
  },
};

/** The time of all calls, after a first one that waits until the server is there. */
export async function measureCalls(name: string, server: readonly string[]) {
  const start = callContestants[name];
  if (!start) throw new Error(`No contestant is called ${name}`);
  const call = await start(server);
  await call();
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  let left = calls;
  const worker = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  const wallMs = performance.now() - began;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wallMs, cpuMs: (user + system) / 1000, peakMb: peakMb() };
}
