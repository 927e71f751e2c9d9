import assert from "node:assert/strict";
import { describe } from "node:test";
import { run } from "../support/script.ts";
import { test } from "../support/test.ts";

const pair = `
  const [left, right] = memoryPair();
  const client = new Connection(left);
  const server = new Connection(right);
  server.handle("echo", (params) => params);
  server.handle("never", () => new Promise(() => {}));
`;

describe("a program that uses a connection in memory", () => {
  test("ends by itself when nothing is pending, though nobody closed and deadlines were far", async () => {
    const printed = await run(`${pair}
      console.log(await client.request("echo", "done", { timeoutMs: 1e9 }));
    `);
    assert.equal(printed, "done");
  });

  test("stays until a pending call has timed out", async () => {
    const printed = await run(`${pair}
      client.request("never", 1, { timeoutMs: 20 }).catch((error) => console.log(error.code));
    `);
    assert.equal(printed, "timeout");
  });

  test("stays until a call has timed out that was made after a rest, behind an earlier deadline", async () => {
    const printed = await run(`${pair}
      await client.request("echo", 1, { timeoutMs: 40 }).catch(() => undefined);
      setImmediate(() => client.request("never", 1, { timeoutMs: 60 }).catch((error) => console.log(error.code)));
    `);
    assert.equal(printed, "timeout");
  });

  test("is not kept by deadlines after closing", async () => {
    const printed = await run(`${pair}
      const call = client.request("never", 1, { timeoutMs: 1e9 }).catch((error) => error.code);
      await client.close();
      console.log(await call);
    `);
    assert.equal(printed, "closed");
  });

  test("gets no warning of a leak when many calls share one signal", async () => {
    const printed = await run(`${pair}
      process.on("warning", (warning) => console.log(warning.name));
      const { signal } = new AbortController();
      await Promise.all(Array.from({ length: 100 }, () => client.request("echo", 1, { signal })));
      setImmediate(() => console.log("quiet"));
    `);
    assert.equal(printed, "quiet");
  });
});
