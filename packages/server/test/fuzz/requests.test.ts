/** A client that sends anything gets an answer to everything, and the server lives on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AnyMethods, Connection, RpcError } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";
import { methods } from "@quire/protocol/methods";
import { schemaOf } from "@quire/protocol/validate";
import { random } from "@quire/testkit";
import { Sampler } from "@quire/testkit/sampler";
import { testServer } from "../support/test-server.ts";

const rounds = 100_000;
/** Few enough that the server is not overloaded, so that each answer is the method's own. */
const atOnce = 200;
/** What a hundred thousand requests may leave behind, beside the threads that they started. */
const maxGrownMb = 150;

/** Requests that end what other requests need are sent, but rarely, so that threads live long enough to be used. */
const ending = new Set(["thread/archive", "thread/delete", "thread/unsubscribe"]);

test(`${rounds} mutated requests: each is answered, none crashes, memory stays flat`, {
  // A minute by itself; many of them beside others. Only a server that hangs reaches it.
  timeout: 540_000,
}, async () => {
  const dice = random();
  console.log(`QUIRE_SEED=${dice.seed}`);
  const sampler = new Sampler(dice);
  const requests = Object.entries(methods).filter(([, row]) => row.from === "client" && row.kind === "request");
  await using server = await testServer({ model: "offline" });
  const [ours, theirs] = memoryPair();
  server.server.accept(theirs);
  const client = new Connection<AnyMethods>(ours);
  await client.request("initialize", {
    clientInfo: { name: "fuzz", version: "1" },
    capabilities: { experimentalApi: true },
  });

  const threads: string[] = [];
  for (let n = 0; n < 5; n++) threads.push(await started(client));
  const codes = new Map<number | "ok", number>();
  /** Methods that this server does not have; asking for them over and over tests nothing. */
  const absent = new Set<string>();
  const one = async () => {
    const [method, row] = dice.pick(requests);
    if (absent.has(method) && dice.chance(0.98)) return;
    if (method === "thread/start" && dice.chance(0.97)) return;
    if (ending.has(method) && dice.chance(0.97)) return;
    const params = row.params === null ? undefined : sampler.sample(schemaOf(row.params));
    const aimed = withThread(params, dice.pick(threads));
    const sent = dice.chance(0.3) ? aimed : sampler.mutate(aimed);
    const answer = await client.request(method, sent).then(
      () => "ok" as const,
      (error: unknown) => {
        assert.ok(RpcError.is(error), `${method} ${JSON.stringify(sent)}: ${String(error)}`);
        // What a handler did not foresee is answered in these words.
        assert.doesNotMatch(error.message, /^Internal error in/, `${method} ${JSON.stringify(sent)}`);
        if (error.code === -32601) absent.add(method);
        return error.code;
      },
    );
    codes.set(answer, (codes.get(answer) ?? 0) + 1);
  };
  const answered = () => [...codes.values()].reduce((sum, each) => sum + each, 0);
  const many = async (count: number) => {
    for (const end = answered() + count; answered() < end; ) await Promise.all(Array.from({ length: atOnce }, one));
  };

  await many(rounds / 5);
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  await many((rounds * 4) / 5);
  Bun.gc(true);
  const grownMb = (process.memoryUsage.rss() - before) / 2 ** 20;
  assert.ok(grownMb < maxGrownMb, `${grownMb.toFixed(0)} MB more`);
  assert.ok((codes.get("ok") ?? 0) > 1000, JSON.stringify([...codes]));
  assert.ok((codes.get(-32600) ?? 0) > 1000, JSON.stringify([...codes]));
  assert.ok((await client.request("thread/loaded/list", {})) !== undefined);
  await client.close();
});

async function started(client: Connection<AnyMethods>): Promise<string> {
  const { thread } = (await client.request("thread/start", {})) as { thread: { id: string } };
  return thread.id;
}

/** Params that hit a thread: random ids hit none. */
function withThread(params: unknown, threadId: string): unknown {
  if (typeof params !== "object" || params === null || !("threadId" in params)) return params;
  return { ...params, threadId };
}
