/** What programs call of `codex` besides `exec`, on a home of its own. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { mockResponses } from "@quire/testkit";
import { place, slow } from "../support/quire.ts";

describe("by the name of codex", () => {
  test("a login by key is stored, told by the exit code, shown in part, and forgotten", slow, async () => {
    await using here = await place();
    const status = async () => (await here.runCodex(["login", "status"])).code;
    assert.equal(await status(), 1);
    assert.equal((await here.runCodex(["login", "--with-api-key"], "")).code, 1);
    // A key on the command line would be in everybody's list of processes.
    for (const refused of [["--with-access-token"], ["--api-key", "sk-test"]]) {
      const { code, stderr } = await here.runCodex(["login", ...refused], "token");
      assert.deepEqual([code, /not supported: .*--with-api-key/.test(stderr)], [1, true]);
    }
    const stored = await here.runCodex(["login", "--with-api-key"], "sk-test-1234567890abcdef\n");
    assert.equal(stored.code, 0);
    assert.match(readFileSync(join(here.home, "auth.json"), "utf8"), /"sk-test-1234567890abcdef"/);
    const shown = await here.runCodex(["login", "status"]);
    assert.equal(shown.code, 0);
    assert.match(shown.stderr, /^API key configured - sk-test-\*\*\*bcdef$/m);
    assert.match((await here.runCodex(["logout"])).stderr, /Successfully logged out/);
    assert.equal(await status(), 1);
  });

  test(
    "where nobody is logged in a program hears so, and takes no words of the offline model for answers",
    slow,
    async () => {
      await using here = await place();
      const ask = ["exec", "--skip-git-repo-check", "hello"];
      assert.equal((await here.run(ask)).code, 0);
      const { code, stderr } = await here.runCodex(ask);
      assert.equal(code, 1);
      assert.match(stderr, /Not logged in to "OpenAI": log in, or set `OPENAI_API_KEY`/);
      const clientInfo = { name: "test", version: "1" };
      const lines = [
        { id: 1, method: "initialize", params: { clientInfo } },
        { id: 2, method: "account/read", params: {} },
      ].map((message) => `${JSON.stringify(message)}\n`);
      for (const [run, requiresOpenaiAuth] of [
        [here.runCodex, true],
        [here.run, false],
      ] as const) {
        const replies = (await run(["app-server"], lines.join(""))).stdout.trim().split("\n");
        const read = replies.map((line) => JSON.parse(line)).find(({ id }) => id === 2);
        assert.deepEqual([read.result.account, read.result.requiresOpenaiAuth], [null, requiresOpenaiAuth]);
      }
    },
  );

  test("MCP servers are added, listed, shown without the values of their variables, and removed", slow, async () => {
    await using here = await place();
    assert.equal((await here.runCodex(["mcp", "list", "--json"])).stdout, "[]\n");
    await here.runCodex(["mcp", "add", "files", "--env", "KEY=hidden-value", "--", "npx", "server", "--flag"]);
    await here.runCodex(["mcp", "add", "web", "--url", "https://example.com/mcp", "--bearer-token-env-var", "TOKEN"]);
    const listed = JSON.parse((await here.runCodex(["mcp", "list", "--json"])).stdout);
    assert.deepEqual(
      listed.map(({ name, transport }: { name: string; transport: { type: string } }) => [name, transport.type]),
      [
        ["files", "stdio"],
        ["web", "streamable_http"],
      ],
    );
    assert.deepEqual(listed[0].transport.args, ["server", "--flag"]);
    const { stdout } = await here.runCodex(["mcp", "list"]);
    assert.match(stdout, /files {2}npx/);
    assert.doesNotMatch(stdout, /hidden-value/);
    assert.match((await here.runCodex(["mcp", "get", "web"])).stdout, /url: https:\/\/example\.com\/mcp/);
    assert.match((await here.runCodex(["mcp", "remove", "files"])).stdout, /Removed global MCP server 'files'/);
    assert.equal((await here.runCodex(["mcp", "get", "files"])).code, 1);
    assert.equal((await here.runCodex(["mcp", "add", "bad name", "--", "x"])).code, 1);
    assert.equal((await here.runCodex(["mcp", "add", "nothing"])).code, 2);
  });

  test("a login at an MCP server is forgotten, and that of another stays", slow, async () => {
    await using here = await place();
    const url = "https://example.com/mcp";
    await here.runCodex(["mcp", "add", "web", "--url", url]);
    await here.runCodex(["mcp", "add", "files", "--", "npx", "server"]);
    const file = join(here.home, ".credentials.json");
    const identity = JSON.stringify({ type: "http", url, headers: {} });
    const key = `web|${createHash("sha256").update(identity).digest("hex").slice(0, 16)}`;
    const login = { server_name: "web", server_url: url, client_id: "c", access_token: "a" };
    writeFileSync(file, JSON.stringify({ [key]: login, other: { access_token: "b" } }));
    assert.match((await here.runCodex(["mcp", "logout", "web"])).stdout, /Removed OAuth credentials for 'web'/);
    assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), { other: { access_token: "b" } });
    assert.match((await here.runCodex(["mcp", "logout", "web"])).stdout, /No OAuth credentials stored for 'web'/);
    assert.match((await here.runCodex(["mcp", "logout", "files"])).stderr, /is a program: it has no OAuth login/);
  });

  test("features and models are listed, and a feature is turned on for good", slow, async () => {
    await using here = await place();
    const { stdout } = await here.runCodex(["features", "list"]);
    assert.match(stdout, /^goals +stable +true$/m);
    await here.runCodex(["features", "disable", "goals"]);
    assert.match((await here.runCodex(["features", "list"])).stdout, /^goals +stable +false$/m);
    assert.equal((await here.runCodex(["features", "enable", "nope"])).code, 1);
    assert.equal((await here.runCodex(["features", "enable"])).code, 2);
    const models = async (run: typeof here.run) =>
      JSON.parse((await run(["debug", "models"])).stdout).models.map(({ slug }: { slug: string }) => slug);
    assert.ok((await models(here.run)).includes("quire-offline"));
    assert.ok(!(await models(here.runCodex)).includes("quire-offline"));
    assert.ok((await models(here.runCodex)).includes("gpt-5.5"));
  });

  test("a command runs confined, with its output and its exit code", slow, async () => {
    await using mock = await mockResponses();
    await using here = await place(mock, { sandbox_mode: "read-only" });
    const refused = await here.runCodex(["sandbox", "--", "touch", "file"]);
    assert.notEqual(refused.code, 0);
    assert.equal(existsSync(join(here.cwd, "file")), false);
    const run = await here.runCodex(["sandbox", "-P", ":workspace", "sh", "-c", "touch file; echo out; exit 4"]);
    assert.deepEqual([run.code, run.stdout], [4, "out\n"]);
    assert.ok(existsSync(join(here.cwd, "file")));
  });

  test("what is not here says so, and what is in its place", slow, async () => {
    await using here = await place();
    for (const args of [[], ["fix the build"], ["resume"]]) {
      const { code, stderr } = await here.runCodex(args);
      assert.equal(code, 1);
      assert.match(stderr, /no terminal UI[\s\S]*quire up[\s\S]*codex --remote/);
    }
    assert.match((await here.runCodex(["archive", "x"])).stderr, /quire up/);
    assert.match((await here.runCodex(["completion", "bash"])).stdout, /complete -o default -F _codex codex/);
    assert.match((await here.runCodex(["--help"])).stdout, /^Usage: codex COMMAND[\s\S]*^ {2}exec /m);
  });
});
