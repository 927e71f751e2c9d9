import assert from "node:assert/strict";
import { describe } from "node:test";
import { ErrorCode, RpcError } from "@quire/jsonrpc";
import { connectionError, deferred, rpcError } from "../support/async.ts";
import { connectedPair, connectionAndRaw } from "../support/peers.ts";
import { test } from "../support/test.ts";

const quiet = { onHandlerError: () => undefined };

describe("a handler that fails", () => {
  test("an unexpected error tells the peer that it failed and nothing of how", async () => {
    const reported: [unknown, string][] = [];
    const { connection, raw } = connectionAndRaw({ onHandlerError: (...entry) => void reported.push(entry) });
    const secret = Object.assign(new Error("the password is hunter2"), { code: 7, data: "hunter2" });
    connection.handle("sync", () => {
      throw secret;
    });
    connection.handle("async", () => Promise.reject(secret));
    connection.handle("string", () => Promise.reject("hunter2"));
    for (const method of ["sync", "async", "string"]) {
      const error = { code: -32603, message: `Internal error in ${method}` };
      assert.deepEqual(await raw.ask({ id: 1, method }), { id: 1, error });
    }
    assert.doesNotMatch(raw.received.join(), /hunter2|\.ts|\.js/);
    assert.deepEqual(reported, [
      [secret, "sync"],
      [secret, "async"],
      ["hunter2", "string"],
    ]);
    await connection.close();
  });

  test("an RpcError reaches the caller as it is, thrown at once or later", async () => {
    const { client, server } = connectedPair();
    const thrown = new RpcError({ code: -32050, message: "no such thread", data: { id: "t1" } });
    server.handle("sync", () => {
      throw thrown;
    });
    server.handle("async", () => Promise.reject(thrown));
    for (const method of ["sync", "async"]) {
      const error = await rpcError(client.request(method));
      assert.deepEqual([error.code, error.message, error.data], [-32050, "no such thread", { id: "t1" }]);
      assert.equal(error.mayHaveRun, true);
    }
    await client.close();
  });

  test("an RpcError without data travels without data", async () => {
    const { connection, raw } = connectionAndRaw();
    connection.handle("a", () => {
      throw new RpcError({ code: 5, message: "five" });
    });
    assert.deepEqual(await raw.ask({ id: 1, method: "a" }), { id: 1, error: { code: 5, message: "five" } });
    await connection.close();
  });

  test("an answer that is no JSON still gives exactly one reply", async () => {
    const { connection, raw } = connectionAndRaw(quiet);
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const refusing = { toJSON: () => failWith(1n) };
    connection.handle("bigint", () => 1n);
    connection.handle("cycle", async () => cycle);
    connection.handle("refusing", () => refusing);
    connection.handle("error data", () => failWith(1n));
    for (const method of ["bigint", "cycle", "refusing", "error data"]) {
      const reply = (await raw.ask({ id: method, method })) as { id: string; error: { code: number } };
      assert.equal(reply.id, method);
      assert.equal(reply.error.code, ErrorCode.internalError);
    }
    assert.equal(raw.received.length, 4);
    assert.equal(connection.open, true);
    await connection.close();
  });

  test("an onHandlerError that throws keeps nobody from getting a reply", async () => {
    await withoutConsole(async () => {
      const broken = () => {
        throw new Error("broken logger");
      };
      const { client, server } = connectedPair({}, { onHandlerError: broken, onClose: broken, onMalformed: broken });
      server.handle("sync", broken);
      server.handle("async", async () => broken());
      server.handle("bigint", () => 1n);
      server.on("n", broken);
      server.on("n", async () => broken());
      client.notify("n");
      for (const method of ["sync", "async", "bigint"]) {
        assert.equal((await rpcError(client.request(method))).code, -32603);
      }
      await server.close();
      await client.closed;
    });
  });
});

describe("calls that are not served", () => {
  test("an unknown method is answered -32601 with its name, and a retry is safe", async () => {
    const { client } = connectedPair();
    const error = await rpcError(client.request("no/such"));
    assert.equal(error.code, -32601);
    assert.match(error.message, /no\/such/);
    assert.equal(error.mayHaveRun, false);
    await client.close();
  });

  test("a request with a method that is no string is answered -32600 under its id", async () => {
    const { connection, raw } = connectionAndRaw();
    for (const id of [1, "x"]) {
      const reply = (await raw.ask({ id, method: 5 })) as { id: unknown; error: { code: number } };
      assert.deepEqual([reply.id, reply.error.code], [id, -32600]);
    }
    await connection.close();
  });

  const unreadable: [text: string, code: number][] = [
    ["{nonsense", -32700],
    ["", -32700],
    ["[]", -32600],
    ["5", -32600],
    ["null", -32600],
    ['{"id":null,"method":"a"}', -32600],
    ['{"id":{},"method":"a"}', -32600],
    ['{"id":true,"method":"a"}', -32600],
    ['{"method":null}', -32600],
  ];

  test("a line that is no message is reported and skipped; a client does not answer it", async () => {
    const reported: [string, number][] = [];
    const { connection, raw } = connectionAndRaw({ onMalformed: (text, { code }) => void reported.push([text, code]) });
    connection.handle("a", () => "served");
    for (const [text] of unreadable) raw.send(text);
    assert.deepEqual(await raw.ask({ id: 1, method: "a" }), { id: 1, result: "served" });
    assert.deepEqual(reported, unreadable);
    await connection.close();
  });

  test("with answerMalformed each such line gets exactly one reply with id null", async () => {
    const { connection, raw } = connectionAndRaw({ answerMalformed: true });
    for (const [text, code] of unreadable) {
      const reply = (await raw.ask(text)) as { id: unknown; error: { code: number } };
      assert.deepEqual([reply.id, reply.error.code], [null, code], text);
    }
    await connection.close();
  });

  test("a malformed reply is never answered, so that two peers cannot bounce errors for ever", async () => {
    const reported: string[] = [];
    const { connection, raw } = connectionAndRaw({
      answerMalformed: true,
      onMalformed: (text) => void reported.push(text),
    });
    connection.handle("a", () => "served");
    const replies = ['{"id":9}', '{"id":9,"error":"text"}', '{"result":1}', '{"id":null,"error":{"code":"x"}}', "{}"];
    for (const text of replies) raw.send(text);
    assert.deepEqual(await raw.ask({ id: 1, method: "a" }), { id: 1, result: "served" });
    assert.deepEqual(reported, replies);
    await connection.close();
  });

  test("a malformed reply rejects the call it belongs to instead of leaving it for ever", async () => {
    const { connection, raw } = connectionAndRaw();
    const shapes = [{}, { error: "text" }, { error: { code: "1", message: "m" } }, { error: { code: 1 } }];
    for (const [id, shape] of shapes.entries()) {
      const call = connection.request("a");
      await raw.next();
      raw.send({ id, ...shape });
      const error = await connectionError(call);
      assert.equal(error.code, "invalid-message");
      assert.equal(error.mayHaveRun, true);
    }
    assert.equal(connection.open, true);
    await connection.close();
  });

  test("an onMalformed that throws is reported, and the next message is still served", async () => {
    const reported = deferred<unknown>();
    const options = { onHandlerError: reported.resolve, onMalformed: () => failWith("from onMalformed") };
    const { connection, raw } = connectionAndRaw(options);
    connection.handle("a", () => "served");
    raw.send("nonsense");
    assert.deepEqual(await raw.ask({ id: 1, method: "a" }), { id: 1, result: "served" });
    assert.ok(RpcError.is(await reported.promise));
    await connection.close();
  });
});

describe("error codes say whether a retry is safe", () => {
  test("refused before it ran: may be retried; failed while running: may have run", async () => {
    const { client, server } = connectedPair();
    for (const code of [-32700, -32600, -32601, -32602, -32001, -32603, -32000, 17]) {
      server.handle(String(code), () => {
        throw new RpcError({ code, message: "refused" });
      });
      const safe = [-32700, -32600, -32601, -32602, -32001].includes(code);
      assert.equal((await rpcError(client.request(String(code)))).mayHaveRun, !safe, String(code));
    }
    await client.close();
  });
});

function failWith(data: unknown): never {
  throw new RpcError({ code: 1, message: "failed", data });
}

/** Runs with `console.error` silenced: what it prints is expected and would only worry a reader. */
async function withoutConsole(run: () => Promise<void>): Promise<void> {
  const original = console.error;
  console.error = () => undefined;
  try {
    await run();
  } finally {
    console.error = original;
  }
}
