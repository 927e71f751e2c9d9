import assert from "node:assert/strict";
import { describe } from "node:test";
import { Connection, type MethodTable } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";
import { test } from "../support/test.ts";

interface ServerMethods extends MethodTable {
  requests: {
    add: { params: { a: number; b: number }; result: number };
    now: { params: undefined; result: string };
    find: { params: { name: string } | undefined; result: string | null };
  };
  notifications: {
    log: { line: string };
    ping: undefined;
  };
}

interface ClientMethods extends MethodTable {
  requests: { approve: { params: { command: string }; result: "yes" | "no" } };
  notifications: { progress: { done: number } };
}

function typedPair(): {
  client: Connection<ServerMethods, ClientMethods>;
  server: Connection<ClientMethods, ServerMethods>;
} {
  const [left, right] = memoryPair();
  return { client: new Connection(left), server: new Connection(right) };
}

describe("a method table", () => {
  test("types every call, so that a wrong one does not compile", async () => {
    const { client, server } = typedPair();
    server.handle("add", ({ a, b }) => a + b);
    server.handle("now", async () => "noon");
    server.handle("find", (params) => params?.name ?? null);
    const lines: string[] = [];
    server.on("log", ({ line }) => void lines.push(line));
    server.on("ping", () => void lines.push("ping"));
    client.handle("approve", ({ command }, { signal }) => (signal.aborted || command === "rm" ? "no" : "yes"));

    const sum: number = await client.request("add", { a: 1, b: 2 });
    const now: string = await client.request("now");
    const timed: string = await client.request("now", undefined, { timeoutMs: 1e6 });
    const found: string | null = await client.request("find", { name: "x" });
    client.notify("log", { line: "hello" });
    client.notify("ping");
    const approved: "yes" | "no" = await server.request("approve", { command: "ls" });
    assert.deepEqual([sum, now, timed, found, approved], [3, "noon", "noon", "x", "yes"]);
    assert.deepEqual(lines, ["hello", "ping"]);
    await client.close();
  });

  test("refuses wrong names, params, results and directions at compile time", () => {
    // Never run: each line must fail to compile, which the build checks.
    const wrong = async ({ client, server }: ReturnType<typeof typedPair>): Promise<void> => {
      // @ts-expect-error there is no such method
      await client.request("subtract", { a: 1, b: 2 });
      // @ts-expect-error a param is missing
      await client.request("add", { a: 1 });
      // @ts-expect-error a param has the wrong type
      await client.request("add", { a: 1, b: "2" });
      // @ts-expect-error params are required
      await client.request("add");
      // @ts-expect-error the result is a number
      const text: string = await client.request("add", { a: 1, b: 2 });
      // @ts-expect-error a notification is no request
      await client.request("log", { line: text });
      // @ts-expect-error a request is no notification
      client.notify("add", { a: 1, b: 2 });
      // @ts-expect-error the params of the notification are wrong
      client.notify("log", { text: "hello" });
      // @ts-expect-error the client offers this one, the server does not
      await client.request("approve", { command: "ls" });
      // @ts-expect-error the handler gives the wrong type
      server.handle("add", ({ a, b }) => `${a}${b}`);
      // @ts-expect-error the client has no such method to handle
      client.handle("add", () => 1);
      // @ts-expect-error neither of the allowed answers
      client.handle("approve", () => "maybe");
      // @ts-expect-error no such notification comes in
      client.on("log", () => undefined);
      // @ts-expect-error there is no such option
      await client.request("now", undefined, { timeout: 5 });
    };
    assert.equal(typeof wrong, "function");
  });

  test("left out, any method goes and results are unknown", async () => {
    const [left, right] = memoryPair();
    const client = new Connection(left);
    const server = new Connection(right);
    server.handle("any/thing", (params) => params);
    const result = await client.request("any/thing", 5);
    // @ts-expect-error unknown until narrowed
    const wrong: number = result;
    assert.equal(wrong, 5);
    await client.close();
  });
});
