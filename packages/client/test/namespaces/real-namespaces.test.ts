import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { namespacesOf } from "@quire/client/groups";
import { eventually, isWithin, skipWithoutCodex, testedVersions } from "@quire/testkit";
import { realPort } from "../support/real-port.ts";

const timeout = 120_000;

for (const version of testedVersions({ since: "0.118.0" })) {
  const skip = await skipWithoutCodex(version);

  test(`the groups of methods on Codex ${version}`, { skip, timeout }, async (t) => {
    await using port = await realPort(version);
    const codex = namespacesOf(port);
    const newest = isWithin(version, { since: "0.151.0" });

    await t.test("threads are listed, taken back and deleted", async () => {
      const threadId = await port.startThread("hello");
      const { thread } = await port.request("thread/fork", { threadId });
      await port.request("thread/archive", { threadId });
      // 0.118 lists a thread some time after it has changed.
      const archived = await eventually(async () => {
        const found = await codex.threads.list({ archived: true }).toArray();
        return found.length > 0 && found;
      });
      assert.deepEqual(
        archived.map(({ id }) => id),
        [threadId],
      );
      assert.equal((await codex.threads.unarchive({ threadId })).thread.id, threadId);
      if (!newest) return;
      await assert.rejects(codex.threads.delete({ threadId }), /forked history/);
      await codex.threads.delete({ threadId: thread.id });
      await codex.threads.delete({ threadId });
      await assert.rejects(port.request("thread/read", { threadId }));
    });

    await t.test("configuration is read and written", async () => {
      assert.equal((await codex.config.read()).config.model, "mock-model");
      await codex.config.write({ keyPath: "model", value: "other", mergeStrategy: "replace" });
      assert.equal((await codex.config.read()).config.model, "other");
      const edit = { keyPath: "model", value: "mock-model", mergeStrategy: "upsert" } as const;
      assert.equal((await codex.config.batchWrite({ edits: [edit] })).status, "ok");
      assert.equal((await codex.config.read()).config.model, "mock-model");
      assert.equal((await codex.config.requirements()).requirements, null);
      await codex.mcp.reload();
    });

    await t.test("skills, MCP servers, apps and plugins are listed", async () => {
      const { cwd } = port.codex;
      const folder = join(cwd, ".codex", "skills", "greet");
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, "SKILL.md"), "---\nname: greet\ndescription: Says hello\n---\nSay hello.\n");
      const { data } = await codex.skills.list({ cwds: [cwd], forceReload: true });
      assert.ok(data[0]?.skills.some(({ name }) => name === "greet"));
      assert.deepEqual(await codex.mcp.list().toArray(), []);
      assert.deepEqual(await codex.apps.list().toArray(), []);
      assert.deepEqual((await codex.plugins.list()).marketplaces, []);
      await assert.rejects(codex.mcp.login({ name: "nope" }), /nope/);
    });

    await t.test("files are found, once and while the query changes", async () => {
      const { cwd } = port.codex;
      await writeFile(join(cwd, "alpha.txt"), "");
      await writeFile(join(cwd, "beta.txt"), "");
      const found = await codex.search.files({ query: "alph", roots: [cwd] });
      assert.deepEqual(
        found.map(({ path }) => path),
        ["alpha.txt"],
      );

      await using session = await codex.search.session({ roots: [cwd] });
      const complete = async (query: string) => {
        await session.query(query);
        for (;;) {
          const { value } = await session.next();
          assert.ok(value);
          assert.equal(value.query, query);
          // Right after the start Codex may say that it is through with nothing.
          if (value.complete && value.files.length > 0) return value.files.map(({ path }) => path);
        }
      };
      assert.deepEqual(await complete("bet"), ["beta.txt"]);
      assert.deepEqual(await complete("alpha"), ["alpha.txt"]);
      await session.stop();
      await assert.rejects(session.query("x"), /not found/);
    });

    if (newest) {
      await t.test("aborting a search over a large tree ends it on the server", async () => {
        const controller = new AbortController();
        const searching = codex.search.files({ query: "zq", roots: ["/usr"] }, { signal: controller.signal });
        controller.abort(new Error("enough"));
        await assert.rejects(searching, /enough/);
        assert.deepEqual(await codex.search.files({ query: "", roots: [] }), []);
      });
    }
  });
}
