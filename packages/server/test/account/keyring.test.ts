import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { testServer } from "../support/test-server.ts";
import { fakeSecretTool } from "./fake-secret-tool.ts";

const skip = process.platform === "linux" ? false : "secret-tool is Linux's";

/** A home whose logins are kept as `store` says, and a keyring beside it. */
async function kept(store: string, { tool = true }: { tool?: boolean } = {}) {
  const folder = await tempDir("quire-keyring-");
  const [home, vault, bin] = ["home", "vault", "bin"].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [home, vault, bin]) mkdirSync(path);
  writeFileSync(join(home, "config.toml"), `cli_auth_credentials_store = "${store}"\nmodel_provider = "openai"\n`);
  if (tool) fakeSecretTool(bin, vault);
  const env = { PATH: tool ? `${bin}:${process.env.PATH}` : bin, HOME: folder.path };
  const open = async () => {
    const server = await testServer({ home, env });
    const client = server.client;
    return {
      login: () => client.request("account/login/start", { type: "apiKey", apiKey: "sk-1" }),
      logout: () => client.request("account/logout"),
      who: async () => (await client.request("account/read", {})).account,
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  };
  return {
    open,
    file: join(home, "auth.json"),
    lock: join(vault, "locked"),
    secrets: () => readdirSync(vault).map((name) => readFileSync(join(vault, name), "utf8")),
    names: () => readdirSync(vault),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const nobody = null;
const someone = { type: "apiKey" };

for (const store of ["keyring", "auto"]) {
  test(`${store}: a login is in the keyring alone, under Codex's name, and the next server finds it`, {
    skip,
  }, async () => {
    await using place = await kept(store);
    writeFileSync(place.file, JSON.stringify({ auth_mode: "apikey", OPENAI_API_KEY: "sk-old" }));
    {
      await using server = await place.open();
      await server.login();
      assert.deepEqual(await server.who(), someone);
    }
    assert.equal(existsSync(place.file), false);
    assert.match(place.names()[0] ?? "", /^Codex Auth-cli\|[0-9a-f]{16}$/);
    assert.deepEqual(JSON.parse(place.secrets()[0] ?? ""), { auth_mode: "apikey", OPENAI_API_KEY: "sk-1" });
    await using next = await place.open();
    assert.deepEqual(await next.who(), someone);
    await next.logout();
    assert.deepEqual([await next.who(), place.secrets()], [nobody, []]);
  });
}

test("keyring: where there is none, the refusal names what to do, and nothing is kept", { skip }, async () => {
  await using place = await kept("keyring", { tool: false });
  await using server = await place.open();
  await assert.rejects(server.login(), /secret-tool was not found.*cli_auth_credentials_store = "file"/);
  assert.deepEqual([await server.who(), existsSync(place.file)], [nobody, false]);
});

test("keyring: one that does not open is told apart from one that is empty", { skip }, async () => {
  await using place = await kept("keyring");
  writeFileSync(place.lock, "");
  await using server = await place.open();
  assert.equal(await server.who(), nobody);
  await assert.rejects(server.login(), /Cannot autolaunch D-Bus/);
  await assert.rejects(server.logout(), /logout failed: .*Cannot autolaunch D-Bus/);
  rmSync(place.lock);
  await server.login();
  assert.deepEqual(await server.who(), someone);
});

test("auto: without a keyring the login is in a file of its owner's, and can be forgotten", { skip }, async () => {
  await using place = await kept("auto", { tool: false });
  {
    await using server = await place.open();
    await server.login();
  }
  assert.equal(statSync(place.file).mode & 0o777, 0o600);
  await using next = await place.open();
  assert.deepEqual(await next.who(), someone);
  await next.logout();
  assert.deepEqual([await next.who(), existsSync(place.file)], [nobody, false]);
});

test("ephemeral: a login ends with its server", async () => {
  await using place = await kept("ephemeral");
  {
    await using server = await place.open();
    await server.login();
    assert.deepEqual(await server.who(), someone);
    assert.deepEqual([existsSync(place.file), place.secrets()], [false, []]);
  }
  await using next = await place.open();
  assert.equal(await next.who(), nobody);
});
