/** Names that every object knows are taken for nothing else, wherever a client puts them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AnyMethods, Connection, RpcError } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";
import { methods } from "@quire/protocol/methods";
import { schemaOf } from "@quire/protocol/validate";
import { createLog } from "@quire/server";
import { type Random, random } from "@quire/testkit";
import { Sampler } from "@quire/testkit/sampler";
import { testServer } from "../support/test-server.ts";

const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "__defineGetter__"];
/** Samples of each method and name. */
const samples = 12;

test("a request with such a name as method, field or value gets its own answer, and no trace in the log", {
  timeout: 300_000,
}, async () => {
  const dice = random();
  console.log(`QUIRE_SEED=${dice.seed}`);
  const sampler = new Sampler(dice);
  const lines: string[] = [];
  const log = createLog({ level: "warn", env: {}, write: (line) => void lines.push(line) });
  await using server = await testServer({ model: "offline", log });
  const [ours, theirs] = memoryPair();
  server.server.accept(theirs);
  const client = new Connection<AnyMethods>(ours);
  const capabilities = { experimentalApi: true };
  await client.request("initialize", { clientInfo: { name: "fuzz", version: "1" }, capabilities });
  const { thread } = (await client.request("thread/start", {})) as { thread: { id: string } };
  const ask = async (method: string, params: unknown) => {
    const what = `${method} ${JSON.stringify(params)}`;
    lines.length = 0;
    const code = await client.request(method, params).then(
      () => undefined,
      (error: unknown) => {
        assert.ok(RpcError.is(error), `${what}: ${String(error)}`);
        assert.doesNotMatch(error.message, /^Internal error in|is not a function|undefined is not/, what);
        return error.code;
      },
    );
    assert.doesNotMatch(lines.join("\n"), /TypeError|\n\s+at /, what);
    return code;
  };
  const requests = Object.entries(methods).filter(([, row]) => row.from === "client" && row.kind === "request");
  for (const name of names) {
    for (const method of [name, `thread/${name}`, `${name}/start`, `${name}/${name}`])
      assert.equal(await ask(method, {}), -32601, method);
    for (const [method, row] of requests) {
      if (row.params === null) continue;
      for (let n = 0; n < samples; n++) {
        const params = planted(sampler.sample(schemaOf(row.params)), name, dice);
        const aimed = dice.chance(0.7) && isObject(params) && "threadId" in params;
        await ask(method, aimed ? { ...params, threadId: thread.id } : params);
      }
    }
  }
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  await client.close();
});

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** The value with the name in place of some texts and some keys. */
function planted(value: unknown, name: string, dice: Random): unknown {
  if (typeof value === "string") return dice.chance(0.5) ? name : value;
  if (Array.isArray(value)) return value.map((each) => planted(each, name, dice));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => [key, planted(each, name, dice)]);
  if (dice.chance(0.3)) entries.push([name, { polluted: true }]);
  return Object.fromEntries(entries);
}
