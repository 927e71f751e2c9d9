/** Logins at MCP servers from the command line, at an OAuth server of its own. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { type OAuthMcpServer, oauthMcpServer } from "@quire/testkit/oauth-mcp-server";
import { type Place, place, slow } from "../support/quire.ts";

/** Runs a command that prints the page to log in on, and does there what a user does. */
async function withBrowser(here: Place, web: OAuthMcpServer, args: readonly string[], paste = false) {
  const child = Bun.spawn([here.codex, ...args], { cwd: here.cwd, env: here.env, stdin: "pipe", stdout: "pipe" });
  let stdout = "";
  let page: string | undefined;
  for await (const part of child.stdout) {
    stdout += new TextDecoder().decode(part);
    const found = /^(https?:\/\/\S*\/authorize\S*)\n/m.exec(stdout)?.[1];
    if (found === undefined || page !== undefined) continue;
    page = found;
    const back = web.authorize(page);
    if (paste) void child.stdin.write(`${back}\n`);
    else assert.equal((await fetch(back)).status, 200);
    await child.stdin.end();
  }
  return { code: await child.exited, stdout, asked: new URL(page ?? "http://no.page").searchParams };
}

describe("by the name of codex", () => {
  test(
    "a server that offers a login is logged in to when it is added, with the client that is registered",
    slow,
    async () => {
      await using web = await oauthMcpServer();
      await using here = await place();
      const client = [
        "--oauth-client-id",
        "mine",
        "--oauth-client-secret",
        "hush",
        "--oauth-resource",
        "https://r.example",
      ];
      const added = await withBrowser(here, web, ["mcp", "add", "web", "--url", web.url, ...client]);
      assert.equal(added.code, 0);
      assert.match(added.stdout, /Detected OAuth support[\s\S]*Successfully logged in\.\n$/);
      assert.equal(added.asked.get("client_id"), "mine");
      assert.deepEqual(added.asked.getAll("resource"), [web.url, "https://r.example"]);
      assert.ok(!web.asked.includes("POST /register"));
      // The address that the user registers is the one that the browser is sent to, whatever the port is.
      const registered = /^OAuth callback URL: (\S+)$/m.exec(added.stdout)?.[1] ?? "";
      assert.equal(new URL(added.asked.get("redirect_uri") ?? "").pathname, new URL(registered).pathname);
      const config = readFileSync(join(here.home, "config.toml"), "utf8");
      for (const line of ['client_id = "mine"', 'client_secret = "hush"', `callback_url = "${registered}"`])
        assert.ok(config.includes(line), line);
      assert.doesNotMatch(readFileSync(join(here.home, ".credentials.json"), "utf8"), /hush/);
      assert.match((await here.runCodex(["mcp", "list"])).stdout, /^web .* OAuth *$/m);
    },
  );

  test("the list says which server wants a login, which has none, and which cannot be asked", slow, async () => {
    await using web = await oauthMcpServer();
    using none = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("", { status: 404 }) });
    using broken = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("", { status: 500 }) });
    await using here = await place();
    const add = async (name: string, ...rest: readonly string[]) => here.runCodex(["mcp", "add", name, ...rest]);
    assert.match(
      (await add("unsure", "--url", `${broken.url}mcp`)).stdout,
      /may or may not require login.*mcp login unsure/,
    );
    assert.doesNotMatch((await add("none", "--url", `${none.url}mcp`)).stdout, /login/i);
    await add("token", "--url", web.url, "--bearer-token-env-var", "TOKEN");
    await add("program", "--", "npx", "server");
    await withBrowser(here, web, ["mcp", "add", "wants", "--url", web.url]);
    await here.runCodex(["mcp", "logout", "wants"]);
    const listed = JSON.parse((await here.runCodex(["mcp", "list", "--json"])).stdout);
    assert.deepEqual(
      listed.map(({ name, auth_status }: { name: string; auth_status: string }) => [name, auth_status]),
      [
        ["none", "unsupported"],
        ["program", "unsupported"],
        ["token", "bearer_token"],
        ["unsure", "unknown"],
        ["wants", "not_logged_in"],
      ],
    );
    assert.match((await here.runCodex(["mcp", "list"])).stdout, /^wants .* Not logged in *$/m);
  });

  test("a user whose browser is elsewhere pastes the address that it ended on, and no other one", slow, async () => {
    await using web = await oauthMcpServer();
    await using here = await place();
    await withBrowser(here, web, ["mcp", "add", "web", "--url", web.url]);
    await here.runCodex(["mcp", "logout", "web"]);
    const login = ["mcp", "login", "web", "--no-browser"];
    const { code, stdout } = await withBrowser(here, web, login, true);
    assert.equal(code, 0);
    assert.match(stdout, /Successfully logged in to MCP server 'web'/);
    const elsewhere = await here.runCodex(login, "http://127.0.0.1:9/callback?code=1\n");
    assert.equal(elsewhere.code, 1);
    assert.match(elsewhere.stderr, /not the address that the browser is sent to/);
    assert.match((await here.runCodex(login)).stderr, /No OAuth callback URL received/);
  });

  test("options that say nothing about a server of that kind are refused", slow, async () => {
    await using here = await place();
    for (const [args, message] of [
      [["a", "--oauth-client-id", "x", "--", "npx"], /--oauth-client-id needs --url/],
      [
        ["a", "--url", "http://127.0.0.1:9", "--oauth-client-secret", "x"],
        /--oauth-client-secret needs --oauth-client-id/,
      ],
      [["a", "--url", "http://127.0.0.1:9", "--env", "A=b"], /--env is for a program/],
      [["a", "--url", "http://127.0.0.1:9", "--oauth-client-registration", "x"], /possible values: auto, cimd, dcr/],
    ] as const) {
      const { code, stderr } = await here.runCodex(["mcp", "add", ...args]);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
  });
});
