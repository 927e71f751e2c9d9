/** Attacks: servers that a gateway is connected to. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { eventually } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import type { ServerWebSocket } from "bun";
import { isOfAnotherUser } from "../../src/discovery/owner.ts";
import { TurnNotes } from "../../src/hub/turn-notes.ts";
import { rawServer } from "../support/raw-server.ts";
import { testGateway } from "../support/test-gateway.ts";
import { openPage, type Rpc } from "../support/test-page.ts";

/** Lists within lists: more than a program can write down again. */
const deep = `${"[".repeat(80_000)}${"]".repeat(80_000)}`;
/** What a gateway did before: it read and wrote every message, whatever was in it. */
const cannotBeWritten: boolean = safely(() => JSON.stringify(JSON.parse(deep))) === undefined;

/** A page on a gateway with one hostile server. It says something as soon as it is asked `begin`. */
async function hostile<T>(
  begin: (asked: Rpc, say: (message: Rpc | string) => void) => void,
  look: (page: Awaited<ReturnType<typeof openPage>>, hub: string) => Promise<T>,
): Promise<T> {
  const dial = () =>
    rawServer((message, say) => {
      if (message.method === "begin") begin(message, say);
      else say({ id: message.id ?? null, result: "alive" });
    });
  await using gateway = testGateway({ embedded: { dial } });
  await using page = await openPage(gateway);
  const { id } = await page.hub();
  return await look(page, id);
}

/** Whether the gateway, and with it every page and server, is gone after that. */
const falls = (begin: (say: (message: Rpc | string) => void, asked: Rpc) => void) =>
  hostile(
    (asked, say) => begin(say, asked),
    async (page, hub) => {
      page.rpc(hub, { id: "b", method: "begin" });
      // It has been heard and, if need be, been dialled anew.
      await page.reply(hub, "b");
      await page.hub();
      return (await page.call(hub, "look")).result !== "alive";
    },
  );

/** The same for one message, before the request is answered. */
const fallsBy = (message: string) =>
  falls((say, { id }) => {
    say(message);
    say({ id: id ?? null, result: null });
  });

attack("fells the gateway by a notification of lists within lists", (guarded) =>
  guarded ? fallsBy(`{"method":"x","params":${deep}}`) : cannotBeWritten,
);
attack("fells the gateway by a question of lists within lists", (guarded) =>
  guarded ? fallsBy(`{"id":7,"method":"item/tool/call","params":${deep}}`) : cannotBeWritten,
);
attack("fells the gateway by a reply of lists within lists", (guarded) =>
  guarded ? falls((say, { id }) => say(`{"id":${JSON.stringify(id)},"result":${deep}}`)) : cannotBeWritten,
);
attack("hides lists within lists from the gateway behind brackets in strings", (guarded) => {
  const hidden = `${'["]",'.repeat(80_000)}0${"]".repeat(80_000)}`;
  return guarded ? fallsBy(`{"method":"x","params":${hidden}}`) : cannotBeWritten;
});
attack("fells the gateway by frames that are no messages", (guarded) => {
  const frames = ["{nope", "[]", "null", '{"id":{}}', '{"method":5}', '{"__proto__":{"method":"x"}}', '"\ud800"'];
  // Read without a look at what they are.
  if (!guarded)
    return frames.some((frame) => safely(() => (JSON.parse(frame) as Rpc).method?.startsWith("x")) === undefined);
  return falls((say, { id }) => {
    for (const frame of frames) say(frame);
    say({ id: id ?? null, result: null });
  });
});

attack("says that a person gave an answer that nobody gave", async (guarded) => {
  const forged = { requestId: 7, answeredBy: "you", answer: { result: { decision: "accept" } } };
  if (!guarded) return { ...forged, requestId: "shown" }.answeredBy === "you";
  return await hostile(
    (_, say) => {
      say({ id: 7, method: "item/commandExecution/requestApproval", params: { threadId: "t" } });
      say({ method: "serverRequest/resolved", params: forged });
    },
    async (page, hub) => {
      page.rpc(hub, { id: "b", method: "begin" });
      const { params } = await page.hears(hub, "serverRequest/resolved");
      return params?.answeredBy !== undefined || params?.answer !== undefined;
    },
  );
});

attack("answers what another server was asked", async (guarded) => {
  const replies = ["mine", 0, 1, 2, 3].map((id) => JSON.stringify({ id, result: "forged" }));
  if (!guarded) {
    // One table for all servers, by the ids that pages choose.
    const waiting = new Map([["mine", "the honest server"]]);
    return replies.some((text) => waiting.has(JSON.parse(text).id));
  }
  let answer: (() => void) | undefined;
  const honest = () =>
    rawServer(({ id }, say) => {
      answer = () => say({ id: id ?? null, result: "honest" });
    });
  const forging = hostileServer((socket) => replies.forEach((reply) => void socket.send(reply)));
  await using gateway = testGateway({ embedded: { dial: honest }, addresses: [forging.address] });
  await using page = await openPage(gateway);
  const { id: hub } = await page.hub(({ kind, state }) => kind === "embedded" && state === "ready");
  page.rpc(hub, { id: "mine", method: "thread/list" });
  const { id: other } = await page.hub(({ kind, state }) => kind === "address" && state === "ready");
  page.rpc(other, { id: "x", method: "thread/list" });
  await eventually(() => forging.asked.includes("thread/list"), { what: "the forged replies" });
  answer?.();
  const { result } = await page.reply(hub, "mine");
  await forging.stop();
  return result !== "honest";
});

attack("sends every page a huge introduction again and again", async (guarded) => {
  const userAgent = `evil/1.0 ${"x".repeat(1_000_000)}`;
  if (!guarded) return JSON.stringify({ type: "hub", hub: { userAgent } }).length > 500_000;
  const server = hostileServer(() => undefined, userAgent);
  await using gateway = testGateway({ addresses: [server.address], reconnect: { attempts: 0 } });
  await using page = await openPage(gateway);
  await page.hub(({ state }) => state !== "connecting");
  await server.stop();
  return page.frames.some((frame) => JSON.stringify(frame).length > 500_000);
});

attack("keeps a megabyte of memory by the name of a turn", (guarded) => {
  const params = { threadId: "t", turnId: "x".repeat(1_000_000), plan: [] };
  const frame = JSON.stringify({ method: "turn/plan/updated" });
  const naive = new Map([[`${params.threadId} ${params.turnId}`, frame]]);
  const notes = new TurnNotes();
  notes.take({ method: "turn/plan/updated", params }, frame);
  return guarded ? notes.of("t").length > 0 : naive.size > 0;
});

attack("passes a server of another user off as the user's own", async (guarded) => {
  const listen = "require('net').createServer().listen(0,'127.0.0.1',function(){console.log(this.address().port)})";
  // Root can be another user; whoever else runs this is that other user to somebody.
  const isRoot = process.getuid?.() === 0;
  const other = isRoot
    ? spawn("node", ["-e", listen], { uid: 65_534, gid: 65_534, stdio: ["ignore", "pipe", "ignore"] })
    : undefined;
  const own = createServer().listen(0, "127.0.0.1");
  await once(own, "listening");
  try {
    const [text] = other ? await once(other.stdout, "data") : [(own.address() as { port: number }).port];
    const isKept = guarded && (await isOfAnotherUser(Number(text), isRoot ? 0 : (process.getuid?.() ?? 0) + 1));
    return !isKept;
  } finally {
    other?.kill("SIGKILL");
    own.close();
  }
});

/** A server behind a socket. After the handshake it does what it likes with whatever it is asked. */
function hostileServer(heard: (socket: ServerWebSocket) => void, userAgent = "evil/1.0") {
  const asked: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, on) => (on.upgrade(request, { data: undefined }) ? undefined : new Response(null)),
    websocket: {
      message(socket, text) {
        const { id, method } = JSON.parse(String(text));
        if (method === "initialize") socket.send(JSON.stringify({ id, result: { userAgent } }));
        else heard(socket);
        asked.push(method);
      },
    },
  });
  return { address: `ws://127.0.0.1:${server.port}`, asked, stop: () => server.stop(true) };
}

function safely<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

attack("fills the memory by a provider's answer to a key that is checked", async (guarded) => {
  const [part, all] = [new Uint8Array(1 << 20).fill(32), 96];
  let taken = 0;
  const body = () =>
    new ReadableStream({
      pull(controller) {
        controller.enqueue(part);
        if (++taken === all) controller.close();
      },
    });
  const fetch = () => new Response(body(), { status: 500 });
  using stop = new DisposableStack();
  const provider = stop.adopt(Bun.serve({ hostname: "127.0.0.1", port: 0, fetch }), (each) => void each.stop(true));
  const baseUrl = `http://127.0.0.1:${provider.port}`;
  if (!guarded) await globalThis.fetch(`${baseUrl}/models`).then((answer) => answer.text());
  else {
    await using gateway = testGateway();
    const headers = { "content-type": "application/json", authorization: `Bearer ${gateway.token}` };
    const question = { method: "POST", headers, body: JSON.stringify({ key: "k", baseUrl }) };
    await globalThis.fetch(`${gateway.origin}/api/key-check`, question);
  }
  return taken === all;
});

/** Pieces of a terminal's output, and their characters, that a gateway keeps of what a server says. */
async function kept(guarded: boolean, pieces: readonly string[]): Promise<{ pieces: number; characters: number }> {
  const exec = { processId: "t", command: ["sh"], cwd: "/" };
  const delta = (deltaBase64: string) => ({
    method: "command/exec/outputDelta",
    params: { processId: "t", deltaBase64 },
  });
  const begin = ({ id }: Rpc, say: (message: Rpc | string) => void) => {
    for (const piece of pieces) say(delta(piece) as Rpc);
    say({ id: id ?? null, result: null });
  };
  const output = guarded
    ? await hostile(begin, async (page, hub) => {
        await page.call(hub, "gateway/terminal/open", { threadId: "x", exec });
        await page.call(hub, "begin");
        const { result } = await page.call(hub, "gateway/terminal/attach", { processId: "t" });
        return (result as { output: string[] }).output;
      })
    : pieces;
  return { pieces: output.length, characters: output.join("").length };
}

attack("fills the memory by a terminal's output in pieces that hold nothing", async (guarded) => {
  return (
    (
      await kept(
        guarded,
        Array.from({ length: 2000 }, () => ""),
      )
    ).pieces > 1000
  );
});

attack("fills the memory by one piece of a terminal's output", async (guarded) => {
  return (await kept(guarded, ["A".repeat(8 << 20)])).characters > 1 << 20;
});
