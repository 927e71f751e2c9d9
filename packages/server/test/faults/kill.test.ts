/** The server may die at any moment; what it had told a client is still there afterwards. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { type AnyMethods, Connection } from "@quire/jsonrpc";
import { spawnTransport } from "@quire/jsonrpc/stdio";
import type { ThreadItem, Turn } from "@quire/protocol";
import { codexVersion } from "@quire/protocol/version";
import {
  type MockResponses,
  mockResponses,
  type Random,
  type RealCodex,
  random,
  realCodex,
  reply,
} from "@quire/testkit";

const rounds = 200;
/** Servers at a time, each with a home of its own. */
const homes = 4;
const quire = join(import.meta.dirname, "..", "..", "..", "cli", "bin", "quire");

/** What a client was told of one thread. */
interface Told {
  readonly items: Map<string, ThreadItem>;
  readonly turns: Map<string, Turn>;
  readonly started: Set<string>;
}

test(`${rounds} kills at random moments of turns lose nothing that a client was told`, {
  // A minute by itself; many of them beside others. Only a server that hangs reaches it.
  timeout: 540_000,
}, async () => {
  const dice = random();
  console.log(`QUIRE_SEED=${dice.seed}`);
  const seeds = Array.from({ length: homes }, () => dice.int(0, 2 ** 31));
  await Promise.all(seeds.map((seed) => killOver(random(seed))));
});

/** Kills the servers of one home, one after the other, and checks what they leave. */
async function killOver(dice: Random): Promise<void> {
  await using mock = await mockResponses();
  mock.fallback(() => reply().reasoning(["thinking"]).text("some words of an answer", { chunks: 6 }));
  await using codex = await realCodex(codexVersion, { model: mock });
  const told = new Map<string, Told>();
  for (let round = 0; round < rounds / homes; round++) {
    const server = await start(codex, told);
    const begun = [...told].filter(([, { started }]) => started.size > 0);
    const [known, facts] = begun.length === 0 || dice.chance(0.3) ? [] : dice.pick(begun);
    if (known && facts) await server.checkAndResume(known, facts);
    const threadId = known ?? (await server.newThread());
    if (dice.chance(0.4)) script(mock);
    const ended = server.turn(threadId, `round ${round}`);
    // From before it began to after it ended: a turn takes some ten milliseconds.
    await Promise.race([ended, Bun.sleep(dice.next() * 60)]);
    await server.kill();
  }
  const server = await start(codex, told);
  const begun = [...told].filter(([, { started }]) => started.size > 0);
  for (const [threadId, facts] of begun) await server.checkAndResume(threadId, facts);
  const last = begun.at(-1)?.[0] ?? (await server.newThread());
  await server.turn(last, "after all");
  assert.equal([...(told.get(last)?.turns.values() ?? [])].at(-1)?.status, "completed");
  await server.close();
}

function script(mock: MockResponses): void {
  mock.script(reply().functionCall("exec_command", { cmd: "echo one; echo two" }), reply().text("done", { chunks: 2 }));
}

async function start(codex: RealCodex, told: Map<string, Told>) {
  const transport = spawnTransport({ command: quire, args: ["app-server"], env: codex.env, cwd: codex.cwd });
  const rpc = new Connection<AnyMethods>(transport);
  const ends = new Map<string, () => void>();
  const of = (params: unknown): Told => told.get((params as { threadId: string }).threadId) as Told;
  rpc.on("turn/started", (params) => void of(params).started.add((params as { turn: Turn }).turn.id));
  rpc.on("item/completed", (params) => {
    const { item, turnId } = params as { item: ThreadItem; turnId: string };
    of(params).items.set(`${turnId}/${item.id}`, item);
  });
  rpc.on("turn/completed", (params) => {
    const { turn, threadId } = params as { turn: Turn; threadId: string };
    of(params).turns.set(turn.id, turn);
    ends.get(threadId)?.();
  });
  await rpc.request("initialize", {
    clientInfo: { name: "kill", version: "1" },
    capabilities: { experimentalApi: true },
  });

  const read = async (threadId: string): Promise<Turn[]> => {
    const { thread } = (await rpc.request("thread/read", { threadId, includeTurns: true })) as {
      thread: { turns: Turn[] };
    };
    return thread.turns;
  };
  return {
    async newThread(): Promise<string> {
      const { thread } = (await rpc.request("thread/start", {})) as { thread: { id: string } };
      told.set(thread.id, { items: new Map(), turns: new Map(), started: new Set() });
      return thread.id;
    },
    /** Everything told is there; what was cut off reads as interrupted; the thread lists and goes on. */
    async checkAndResume(threadId: string, known: Told): Promise<void> {
      const turns = await read(threadId);
      for (const id of known.started) {
        const turn = turns.find((each) => each.id === id);
        assert.ok(turn, `turn ${id} is lost`);
        const ended = known.turns.get(id)?.status;
        // One whose end was stored, and not told any more, has ended all the same.
        assert.ok(ended ? turn.status === ended : ["interrupted", "completed"].includes(turn.status), turn.status);
      }
      for (const [key, item] of known.items) {
        const [turnId, itemId] = key.split("/");
        const found = turns.find((each) => each.id === turnId)?.items.find((each) => each.id === itemId);
        assert.deepEqual(found, item);
      }
      const { data } = (await rpc.request("thread/list", { limit: 100, searchTerm: null })) as {
        data: { id: string }[];
      };
      assert.ok(data.some(({ id }) => id === threadId) || data.length === 100, `thread ${threadId} does not list`);
      await rpc.request("thread/resume", { threadId, excludeTurns: true });
    },
    async turn(threadId: string, text: string): Promise<void> {
      const ended = new Promise<void>((resolve) => ends.set(threadId, resolve));
      await rpc.request("turn/start", { threadId, input: [{ type: "text", text }] }).catch(() => undefined);
      await Promise.race([ended, rpc.closed]);
    },
    async kill(): Promise<void> {
      process.kill(transport.pid ?? 0, "SIGKILL");
      await rpc.closed;
    },
    close: () => rpc.close(),
  };
}
