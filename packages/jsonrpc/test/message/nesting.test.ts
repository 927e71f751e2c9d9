import assert from "node:assert/strict";
import { describe } from "node:test";
import { connectionError } from "../support/async.ts";
import { connectionAndRaw } from "../support/peers.ts";
import { test } from "../support/test.ts";

const lists = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const objects = (depth: number): string => `${'{"id":'.repeat(depth)}1${"}".repeat(depth)}`;
const refusal = { code: -32600, message: "Invalid request: recursion limit exceeded" };
/** Node 20 reads ids as numbers only. */
const keepsIds = "rawJSON" in JSON;

describe("a message nested by the thousand", () => {
  test("as a request is answered with an error, under its exact id, and no handler sees it", async () => {
    const { connection, raw } = connectionAndRaw({ onRequest: () => assert.fail("handled") });
    for (const params of [lists(100_000), objects(100_000), `["]}",${lists(5000)},"\\\\"]`]) {
      for (const id of keepsIds ? ["1", '"a\\"b"', "9007199254740993"] : ["1"]) {
        raw.send(`{"id":${id},"method":"x","params":${params}}`);
        await raw.next();
        assert.equal(raw.received.at(-1), `{"id":${id},"error":${JSON.stringify(refusal)}}`);
      }
    }
    await connection.close();
  });

  test("is found whatever else is wrong with it, and the connection goes on", async () => {
    const { connection, raw } = connectionAndRaw({ answerMalformed: true, onMalformed: () => undefined });
    connection.handle("echo", (params) => params);
    const broken = [
      lists(5000),
      `{"id":${lists(5000)},"method":"x"}`,
      `{"id":1,"method":"x","params":${"[".repeat(5000)}`,
    ];
    for (const text of broken) assert.equal(((await raw.ask(text)) as { id: unknown }).id, null);
    assert.deepEqual(await raw.ask(`{"id":3,"method":${lists(5000)}}`), {
      id: 3,
      error: { code: -32600, message: "Invalid request: method must be a string" },
    });
    assert.deepEqual(await raw.ask('{"id":4,"method":"echo","params":[[]]}'), { id: 4, result: [[]] });
    await connection.close();
  });

  test("as a reply fails its call, and as a notification is left out", async () => {
    const malformed: string[] = [];
    const { connection, raw } = connectionAndRaw({
      answerMalformed: true,
      onMalformed: (_, error) => malformed.push(error.message),
      onNotification: () => assert.fail("delivered"),
    });
    const call = connectionError(connection.request("x"));
    const { id } = (await raw.next()) as { id: number };
    raw.send(`{"method":"x","params":${lists(5000)}}`);
    raw.send(`{"id":${id},"result":${lists(5000)}}`);
    assert.equal((await call).code, "invalid-message");
    assert.deepEqual(malformed, [refusal.message, refusal.message]);
    assert.equal(raw.received.length, 1);
    await connection.close();
  });

  test("is one that exceeds the bound, which is an option", async () => {
    const { connection, raw } = connectionAndRaw({ maxNesting: 8 });
    connection.handle("echo", (params) => params);
    const within = lists(7);
    raw.send(`{"id":1,"method":"echo","params":${within}}`);
    raw.send(`{"id":2,"method":"echo","params":[${within}]}`);
    assert.deepEqual(await raw.next(), { id: 1, result: JSON.parse(within) });
    assert.deepEqual(await raw.next(), { id: 2, error: refusal });
    await connection.close();
  });
});

test("a message that is no request keeps its exact id in the answer", async () => {
  const { connection, raw } = connectionAndRaw();
  const id = keepsIds ? "9007199254740993" : "7";
  await raw.ask(`{"params":{"id":2},"id":${id},"method":5}`);
  assert.equal(raw.received[0]?.startsWith(`{"id":${id},`), true);
  await connection.close();
});
