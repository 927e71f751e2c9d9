import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { describe, test } from "node:test";
import { readPorts } from "../../src/discovery/probe.ts";
import { testGateway } from "../support/test-gateway.ts";

async function listening(host: string): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  return { server, port: (server.address() as { port: number }).port };
}

describe("GET /api/probe", () => {
  test("names the open ports of this machine, on either loopback address", async () => {
    await using gateway = testGateway();
    const four = await listening("127.0.0.1");
    const six = await listening("::1").catch(() => undefined);
    const headers = { authorization: `Bearer ${gateway.token}` };
    const ask = async (ports: string): Promise<unknown> => {
      const answer = await fetch(`${gateway.origin}/api/probe?ports=${ports}`, { headers });
      assert.equal(answer.status, 200);
      return answer.json();
    };
    try {
      assert.deepEqual(await ask(`${four.port}`), [four.port]);
      if (six) assert.deepEqual(await ask(`${six.port},${four.port}`), [six.port, four.port]);
      assert.deepEqual(await ask("1"), []);
      assert.deepEqual(await ask(`abc,${four.port},0,70000,127.0.0.1:22,${four.port}`), [four.port]);
      assert.deepEqual(await ask(""), []);
      assert.equal((await fetch(`${gateway.origin}/api/probe`, { headers })).status, 200);
      assert.equal((await fetch(`${gateway.origin}/api/probe`, { headers, method: "POST" })).status, 405);
    } finally {
      four.server.close();
      six?.server.close();
    }
  });

  test("takes ports and nothing else, twenty at most", () => {
    assert.deepEqual(readPorts("4500,4501, 4502 "), [4500, 4501, 4502]);
    assert.deepEqual(readPorts("1,65535"), [1, 65_535]);
    assert.deepEqual(readPorts("-1,0,65536,1e3,0x10,4.5,999999,,example.org:80"), []);
    assert.deepEqual(readPorts("4500,4500"), [4500]);
    assert.equal(readPorts(Array.from({ length: 50 }, (_, at) => at + 1).join(",")).length, 20);
    assert.deepEqual(readPorts(null), []);
  });
});
