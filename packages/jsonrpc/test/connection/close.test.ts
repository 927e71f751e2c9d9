import assert from "node:assert/strict";
import { describe } from "node:test";
import { Connection, ConnectionError } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";
import { connectionError, deferred, rejection, turn } from "../support/async.ts";
import { connectedPair, connectionAndRaw } from "../support/peers.ts";
import { test } from "../support/test.ts";

const failing = (): never => {
  throw new Error("listener");
};

describe("closing", () => {
  test("every pending call is rejected at once and says that it may have run", async () => {
    const { connection } = connectionAndRaw();
    const calls = [connection.request("a"), connection.request("b", 1, { timeoutMs: 1e6 }), connection.request("c")];
    const errors = Promise.all(calls.map(connectionError));
    await connection.close();
    for (const error of await errors) assert.deepEqual([error.code, error.mayHaveRun], ["closed", true]);
    assert.equal(connection.open, false);
  });

  test("calls after it are refused and say that they did not run", async () => {
    const { connection, raw } = connectionAndRaw();
    await connection.close();
    const error = await connectionError(connection.request("a"));
    assert.deepEqual([error.code, error.mayHaveRun], ["closed", false]);
    assert.throws(() => connection.notify("a"), ConnectionError);
    assert.throws(() => connection.notifyMessage({ method: "a" }), ConnectionError);
    await raw.closed;
    assert.deepEqual(raw.received, []);
  });

  test("can wait until all that the peer asked has been answered", async () => {
    const { client, server } = connectedPair();
    const held = deferred<string>();
    server.handle("slow", () => held.promise);
    const reply = client.request("slow");
    let idle = false;
    await client.request("none").catch(() => undefined);
    const waiting = server.idle().then(() => {
      idle = true;
    });
    await turn();
    assert.equal(idle, false);
    held.resolve("late");
    await waiting;
    await server.close();
    assert.equal(await reply, "late");
    await server.idle();
  });

  test("the other side ends too, without an error, after what was sent before", async () => {
    const { client, server } = connectedPair();
    const seen: unknown[] = [];
    server.on("last", (params) => void seen.push(params));
    client.notify("last", "words");
    await client.close();
    assert.equal(await server.closed, undefined);
    assert.deepEqual(seen, ["words"]);
  });

  test("every running handler learns of it, whoever closes", async () => {
    for (const closer of ["client", "server"] as const) {
      const { client, server } = connectedPair();
      const running: AbortSignal[] = [];
      const aborted: Promise<unknown>[] = [];
      server.handle("wait", (_, { signal }) => {
        running.push(signal);
        const ended = new Promise((resolve) => signal.addEventListener("abort", resolve));
        aborted.push(ended);
        return ended;
      });
      const calls = [1, 2, 3].map(() => rejection(client.request("wait")));
      while (running.length < 3) await turn();
      assert.equal(
        running.some((signal) => signal.aborted),
        false,
      );
      await (closer === "client" ? client : server).close();
      await Promise.all(aborted);
      assert.ok(running.every((signal) => ConnectionError.is(signal.reason)));
      await Promise.all(calls);
      await Promise.all([client.close(), server.close()]);
    }
  });

  test("a handler that looks at its signal only afterwards finds it aborted", async () => {
    const { client, server } = connectedPair();
    const gate = deferred();
    const late = deferred<AbortSignal>();
    const started = deferred();
    server.handle("wait", async (_, context) => {
      started.resolve();
      await gate.promise;
      late.resolve(context.signal);
    });
    const call = rejection(client.request("wait"));
    await started.promise;
    await server.close();
    gate.resolve();
    assert.equal((await late.promise).aborted, true);
    await call;
  });

  test("a handler that closes the connection itself is aborted like the others", async () => {
    const { client, server } = connectedPair();
    const ended = deferred();
    server.handle("quit", (_, { signal }) => {
      void server.close();
      return new Promise<void>((resolve) => {
        const end = () => {
          ended.resolve();
          resolve();
        };
        if (signal.aborted) end();
        else signal.addEventListener("abort", end);
      });
    });
    const error = await connectionError(client.request("quit"));
    assert.equal(error.mayHaveRun, true);
    await ended.promise;
  });

  test("what a handler answers afterwards goes nowhere and raises nothing", async () => {
    const reported: unknown[] = [];
    const { connection, raw } = connectionAndRaw({ onHandlerError: (error) => void reported.push(error) });
    const gate = deferred();
    let started = 0;
    connection.handle("late", async () => {
      started++;
      await gate.promise;
      return started === 1 ? "answer" : failing();
    });
    raw.send({ id: 1, method: "late" });
    raw.send({ id: 2, method: "late" });
    while (started < 2) await turn();
    await connection.close();
    gate.resolve();
    await raw.closed;
    await turn();
    assert.deepEqual(raw.received, []);
  });

  test("closing twice, at once and later, is the same as closing once", async () => {
    let closes = 0;
    const { client, server } = connectedPair({ onClose: () => void closes++ });
    await Promise.all([client.close(), client.close(), server.close()]);
    await client.close();
    assert.equal(closes, 1);
    assert.equal(await client.closed, undefined);
  });

  test("closing within onClose and within a handler does not hang", async () => {
    const [left, right] = memoryPair();
    const closed = deferred();
    const client: Connection = new Connection(left, { onClose: () => void client.close().then(closed.resolve) });
    const server = new Connection(right);
    server.on("bye", () => server.close());
    client.notify("bye");
    await closed.promise;
  });

  test("a listener that throws keeps nobody from being told", async () => {
    const reported: unknown[] = [];
    const { client, server } = connectedPair(
      { onClose: failing, onHandlerError: (_, what) => void reported.push(what) },
      { onClose: failing, onHandlerError: () => undefined },
    );
    const call = connectionError(client.request("never", 1, { timeoutMs: 1e6 }));
    await server.close();
    await client.closed;
    assert.equal((await call).mayHaveRun, true);
    assert.deepEqual(reported, ["onClose"]);
    await client.close();
  });

  test("an `await using` block closes at its end", async () => {
    const [left, right] = memoryPair();
    const server = new Connection(right);
    {
      await using client = new Connection(left);
      assert.equal(client.open, true);
    }
    assert.equal(await server.closed, undefined);
  });

  test("a connection over a transport whose other side has gone ends instead of waiting for ever", async () => {
    const [left, right] = memoryPair();
    await right.close();
    const connection = new Connection(left);
    assert.equal((await connectionError(connection.request("a"))).code, "closed");
    assert.equal(await connection.closed, undefined);
  });

  test("an onClose sees the error that ended the connection, and later calls name it as their cause", async () => {
    const [left, right] = memoryPair();
    const seen = deferred<ConnectionError | undefined>();
    const connection = new Connection(left, { maxUnsentBytes: 10, onClose: seen.resolve });
    connection.handle("big", () => "x".repeat(100));
    right.send('{"id":1,"method":"big"}');
    right.send('{"id":2,"method":"big"}');
    const error = await seen.promise;
    assert.equal(error?.code, "overloaded");
    assert.equal(await connection.closed, error);
    assert.equal((await connectionError(connection.request("a"))).cause, error);
  });
});
