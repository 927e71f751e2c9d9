import assert from "node:assert/strict";
import { appendFile, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { RpcError } from "@quire/client";
import { FileSystem } from "@quire/client/groups";
import { isWithin, skipWithoutCodex, testedVersions } from "@quire/testkit";
import { realPort } from "../support/real-port.ts";

const timeout = 120_000;

for (const version of testedVersions({ since: "0.117.0" })) {
  const skip = await skipWithoutCodex(version);

  test(`files on Codex ${version}`, { skip, timeout }, async (t) => {
    await using port = await realPort(version);
    const fs = new FileSystem(port);
    const at = (...parts: string[]) => join(port.codex.cwd, ...parts);

    await t.test("bytes and text are written and read as they are", async () => {
      const bytes = Uint8Array.from({ length: 5_000_000 }, (_, index) => (index * 31) % 256);
      await fs.writeFile(at("bytes"), bytes);
      assert.deepEqual(new Uint8Array(await readFile(at("bytes"))), bytes);
      assert.deepEqual(await fs.readFile(at("bytes")), bytes);
      await fs.writeFile(at("text"), "naïve €\u2028");
      assert.equal(await fs.readText(at("text")), "naïve €\u2028");
      await fs.writeFile(at("text"), "");
      assert.equal((await fs.readFile(at("text"))).length, 0);
    });

    await t.test("folders are created, listed, copied and removed", async () => {
      await fs.createDirectory(at("a", "b"));
      await assert.rejects(fs.createDirectory(at("x", "y"), { recursive: false }), RpcError.is);
      await fs.writeFile(at("a", "file"), "1");
      await symlink("file", at("a", "link"));
      const entries = await fs.readDirectory(at("a"));
      assert.deepEqual(entries.map(({ fileName }) => fileName).sort(), ["b", "file", "link"]);
      const { isFile, isDirectory, modifiedAtMs } = await fs.metadata(at("a", "file"));
      assert.deepEqual([isFile, isDirectory, modifiedAtMs > 0], [true, false, true]);
      await assert.rejects(fs.copy(at("a"), at("copy")), /recursive: true/);
      await fs.copy(at("a"), at("copy"), { recursive: true });
      assert.equal(await fs.readText(at("copy", "file")), "1");
      await assert.rejects(fs.remove(at("copy"), { recursive: false }), RpcError.is);
      await fs.remove(at("copy"));
      await fs.remove(at("copy"));
      await assert.rejects(fs.remove(at("copy"), { force: false }), /No such file/);
    });

    await t.test("what cannot be read is the server's own error", async () => {
      await assert.rejects(fs.readFile(at("missing")), (error) => RpcError.is(error) && error.code === -32603);
      await assert.rejects(fs.readFile(at("a")), RpcError.is);
      await assert.rejects(fs.readFile("relative"), RpcError.is);
    });

    await t.test("a folder is watched until the reader stops", async () => {
      const watch = fs.watch(at("a"));
      assert.equal(await watch.ready, at("a"));
      await writeFile(at("a", "new"), "1");
      for await (const { paths, overflow } of watch) {
        assert.deepEqual([paths, overflow], [[at("a", "new")], false]);
        break;
      }
      // A second watch shows that the server still watches, and by being quiet that the first one is gone.
      await using again = fs.watch(at("a", "new"));
      await again.ready;
      await appendFile(at("a", "new"), "2");
      assert.deepEqual((await again.next()).value?.paths, [at("a", "new")]);
      assert.equal((await watch.next()).done, true);
    });

    // Codex 0.118 takes such a watch and never reports anything.
    if (isWithin(version, { until: "0.120.0" })) return;
    await t.test("a file that is not there yet can be watched", async () => {
      const controller = new AbortController();
      const watch = fs.watch(at("later"), { signal: controller.signal });
      await watch.ready;
      await writeFile(at("later"), "1");
      assert.deepEqual((await watch.next()).value?.paths, [at("later")]);
      const waiting = watch.next();
      controller.abort(new Error("enough"));
      await assert.rejects(waiting, /enough/);
    });
  });
}
