import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createServer, connect as dial, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { CodexClient, ConnectionError, type TurnHandle } from "@quire/client";
import {
  eventually,
  gate,
  isWithin,
  type ListeningServer,
  listen,
  type MockResponses,
  mockResponses,
  type RealCodex,
  realCodex,
  reply,
  tempDir,
  waitUntilStored,
} from "@quire/testkit";
import { onEachCodex } from "./support.ts";

/** A listening Codex, its model, and how to reach it. */
interface Listening extends AsyncDisposable, Pick<ListeningServer, "url" | "kill"> {
  readonly mock: MockResponses;
}

/** @param open Starts the server; by default on a free port. */
async function listening(
  version: string,
  open: (codex: RealCodex) => Promise<Pick<ListeningServer, "url" | "kill">> = (codex) => listen(codex),
): Promise<Listening> {
  const mock = await mockResponses();
  const codex = await realCodex(version, { model: mock });
  const end = async () => {
    // Ends the server too.
    await codex[Symbol.asyncDispose]();
    await mock.close();
  };
  try {
    const { url, kill } = await open(codex);
    return { mock, url, kill, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** One command, then at the gate another, then a message. */
function scriptTwoCommands(mock: MockResponses, held: PromiseLike<void>): void {
  mock.script(
    reply().functionCall("exec_command", { cmd: "printf one" }, { callId: "call-1" }),
    reply().gate(held).functionCall("exec_command", { cmd: "printf two" }, { callId: "call-2" }),
    reply().text("Both done.", { chunks: 3 }),
  );
}

async function completedItems(turn: TurnHandle): Promise<string[]> {
  const types: string[] = [];
  for await (const event of turn) if (event.type === "item.completed") types.push(event.item.type);
  return types;
}

async function untilFirstCommand(turn: TurnHandle): Promise<void> {
  for await (const event of turn) {
    if (event.type === "item.completed" && event.item.type === "commandExecution") return;
  }
}

/** Up to 0.104, every turn that is read back is said to be completed: the client must not believe it. */
async function assertUntold(outcome: PromiseLike<unknown>): Promise<void> {
  const isUntold = (error: unknown) =>
    ConnectionError.is(error) && error.mayHaveRun && /does not tell whether it has ended/.test(error.message);
  await assert.rejects(Promise.resolve(outcome), isUntold);
}

/** 0.120 interrupts a turn when the last client of its thread is gone; versions before and after let it run. */
const endsWithItsClient = (version: string) => version === "0.120.0";

/** A line that can go down, so that the server lives on and only the connection is lost. */
interface Relay extends AsyncDisposable {
  readonly url: string;
  down(): void;
  up(): void;
}

async function relayTo(url: string): Promise<Relay> {
  const { port } = new URL(url);
  const sockets = new Set<Socket>();
  let isDown = false;
  const server: Server = createServer((near) => {
    if (isDown) {
      near.destroy();
      return;
    }
    const far = dial(Number(port), "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const down = () => {
    isDown = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `ws://127.0.0.1:${(server.address() as { port: number }).port}`,
    down,
    up: () => {
      isDown = false;
    },
    [Symbol.asyncDispose]: () => {
      down();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

await onEachCodex("sockets", "0.101.0", (version) => {
  test("a turn runs over a WebSocket", async () => {
    await using server = await listening(version);
    await using client = await CodexClient.connect(server.url);
    server.mock.script(reply().text("over the wire", { chunks: 3 }));
    const { agentMessage } = await (await client.thread()).run("hi");
    assert.equal(agentMessage, "over the wire");
    assert.equal(client.serverVersion, version);
  });

  test("a turn that ends while the line is down is whole after it: each stored item once, and the end", async () => {
    await using server = await listening(version);
    await using probe = await CodexClient.connect(server.url);
    await using relay = await relayTo(server.url);
    await using client = await CodexClient.connect(relay.url);
    const states: string[] = [];
    client.on("state", (state) => states.push(state));
    const held = gate();
    scriptTwoCommands(server.mock, held);
    const thread = await client.thread();
    const turn = thread.run("go");
    const items = completedItems(turn);
    await untilFirstCommand(turn);
    relay.down();
    held.open();
    if (!endsWithItsClient(version)) await waitUntilStored(() => probe.readThread(thread.id, true), "go");
    relay.up();
    if (isWithin(version, { until: "0.104.0" })) {
      await Promise.all([assertUntold(turn), assertUntold(items)]);
      return;
    }
    const result = await turn;
    if (endsWithItsClient(version)) {
      assert.equal(result.status, "interrupted");
      return;
    }
    assert.equal(result.status, "completed");
    assert.equal(result.agentMessage, "Both done.");
    // Before 0.151 commands are not stored, so the one that nobody saw is not to be had.
    const second = isWithin(version, { since: "0.151.0" }) ? ["commandExecution"] : [];
    assert.deepEqual(await items, ["userMessage", "commandExecution", ...second, "agentMessage"]);
    assert.deepEqual(states, ["reconnecting", "ready"]);
  });

  test("a turn that still runs when the line is back goes on: each item once, and the end", async () => {
    await using server = await listening(version);
    await using probe = await CodexClient.connect(server.url);
    assert.equal(probe.state, "ready");
    await using relay = await relayTo(server.url);
    await using client = await CodexClient.connect(relay.url);
    const held = gate();
    scriptTwoCommands(server.mock, held);
    const turn = (await client.thread()).run("go");
    const items = completedItems(turn);
    await untilFirstCommand(turn);
    // Listened for, not looked at: the line may be back between two looks.
    const isBack = new Promise<void>((resolve) => client.on("state", (state) => void (state === "ready" && resolve())));
    relay.down();
    relay.up();
    await isBack;
    held.open();
    if (isWithin(version, { until: "0.104.0" })) {
      await Promise.all([assertUntold(turn), assertUntold(items)]);
      return;
    }
    if (endsWithItsClient(version)) {
      assert.equal((await turn).status, "interrupted");
      return;
    }
    assert.equal((await turn).agentMessage, "Both done.");
    assert.deepEqual(await items, ["userMessage", "commandExecution", "commandExecution", "agentMessage"]);
  });

  test("a server that is gone for good ends the client with an error that says so", async () => {
    await using server = await listening(version);
    const client = await CodexClient.connect(server.url, { reconnect: { attempts: 2, baseMs: 1, maxMs: 5 } });
    server.mock.script(
      reply()
        .text("never finished")
        .gate(new Promise(() => {})),
    );
    const turn = (await client.thread()).run("hi");
    await turn.id;
    await server.kill();
    await assert.rejects(
      Promise.resolve(turn),
      (error) => ConnectionError.is(error) && error.mayHaveRun && /did not come back after 2 tries/.test(error.message),
    );
    assert.equal(client.state, "closed");
  });
});

await onEachCodex("sockets with a token", "0.118.0", (version) => {
  test("the token opens the door, and without it the door stays shut", async () => {
    await using folder = await tempDir();
    const file = join(folder.path, "token");
    await writeFile(file, "s3cret-token-value\n");
    const flags = ["--ws-auth", "capability-token", "--ws-token-file", file];
    await using server = await listening(version, (codex) => listen({ ...codex, args: [...codex.args, ...flags] }));
    await using client = await CodexClient.connect(server.url, { token: "s3cret-token-value" });
    assert.equal(client.state, "ready");
    await assert.rejects(
      CodexClient.connect(server.url),
      (error) => ConnectionError.is(error) && /401/.test(error.message),
    );
  });
});

await onEachCodex("unix sockets", "0.125.0", (version) => {
  test("a unix socket works like any other, or the error names the version where it does", async () => {
    await using folder = await tempDir();
    const url = `unix://${join(folder.path, "codex.sock")}`;
    await using server = await listening(version, async ({ command, args, env, cwd }) => {
      const child = spawn(command, [...args, "--listen", url], { env, cwd, stdio: "ignore" });
      return { url, kill: async () => void child.kill("SIGKILL") };
    });
    if (version === "0.125.0") {
      const isExplained = (error: unknown) => /no WebSocket handshake on unix sockets: use 0\.128/.test(String(error));
      await eventually(() => CodexClient.connect(url).then(() => false, isExplained));
      return;
    }
    // It does not say when it listens there.
    await using client = await eventually(() => CodexClient.connect(url));
    server.mock.script(reply().text("by unix socket"));
    assert.equal((await (await client.thread()).run("hi")).agentMessage, "by unix socket");
  });
});
