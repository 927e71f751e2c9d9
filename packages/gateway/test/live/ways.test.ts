import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { eventually, tempDir } from "@quire/testkit";
import { testGateway } from "../support/test-gateway.ts";
import { openPage } from "../support/test-page.ts";

const launcher = join(import.meta.dirname, "..", "..", "..", "cli", "bin", "quire");

/** Starts our server in a folder of its own. */
async function serving(args: (folder: string) => readonly string[]) {
  const dir = await tempDir("quire-gateway-");
  const child = Bun.spawn([launcher, "app-server", ...args(dir.path)], {
    cwd: dir.path,
    env: { PATH: process.env.PATH ?? "", HOME: dir.path, QUIRE_HOME: dir.path },
    stdin: "ignore",
    stdout: "ignore",
    stderr: Bun.file(join(dir.path, "said")),
  });
  const said = Bun.file(join(dir.path, "said"));
  return {
    folder: dir.path,
    /** Where it listens, once it does: the file of a socket is there before. */
    address: () =>
      eventually(async () => /listening on: (\S+)\n/.exec(await said.text())?.[1], {
        what: "the server to listen",
        timeoutMs: 30_000,
      }),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
      await dir.remove();
    },
  };
}

describe("a server is reached", () => {
  test("over a unix socket", async () => {
    await using server = await serving((folder) => ["--listen", `unix://${folder}/s`]);
    await using gateway = testGateway({ addresses: [await server.address()] });
    await using page = await openPage(gateway);
    const { id, name, version } = await page.hub();
    assert.equal(name, `${server.folder}/s`);
    assert.match(version ?? "", /^\d/);
    assert.ok(Array.isArray((await page.result<{ data: unknown }>(id, "model/list")).data));
  });

  test("with a token, and not without it; the token is not shown", async () => {
    const secret = "the-token-of-that-server/+=";
    await using server = await serving((folder) => {
      writeFileSync(join(folder, "token"), secret);
      const auth = ["--ws-auth", "capability-token", "--ws-token-file", join(folder, "token")];
      return ["--listen", "ws://127.0.0.1:0", ...auth];
    });
    const { port } = new URL(await server.address());
    {
      await using gateway = testGateway({ addresses: [`ws://127.0.0.1:${port}`], reconnect: { attempts: 0 } });
      await using page = await openPage(gateway);
      const { error } = await page.hub(({ state }) => state === "disconnected");
      assert.match(error ?? "", /It needs a token: add it as ws:\/\/TOKEN@HOST:PORT/);
    }
    await using gateway = testGateway({ addresses: [`ws://${encodeURIComponent(secret)}@127.0.0.1:${port}`] });
    await using page = await openPage(gateway);
    const { address } = await page.hub();
    assert.equal(address, `ws://127.0.0.1:${port}`);
    assert.doesNotMatch(JSON.stringify(page.frames), /token-of-that/);
  });
});
