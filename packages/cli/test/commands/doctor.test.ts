import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { mockResponses } from "@quire/testkit";
import { type Place, place, slow } from "../support/quire.ts";

interface Report {
  readonly overallStatus: string;
  readonly checks: readonly { readonly name: string; readonly status: string; readonly message: string }[];
}

async function report(here: Place, ...args: string[]) {
  const { code, stdout, stderr } = await here.run(["doctor", "--json", ...args]);
  assert.equal(stderr, "");
  const { overallStatus, checks } = JSON.parse(stdout) as Report;
  const found = Object.fromEntries(checks.map(({ name, ...rest }) => [name, rest]));
  return { code, stdout, overallStatus, found };
}

const words = (check: { readonly status: string; readonly message: string } | undefined) => [
  check?.status,
  check?.message,
];

describe("quire doctor", () => {
  it("finds nothing broken where nothing is configured, and writes nothing", slow, async () => {
    await using here = await place();
    const { code, stdout } = await here.run(["doctor"]);
    assert.equal(code, 0, stdout);
    for (const name of ["version", "home", "git", "sandbox", "terminal", "sqlite", "config", "provider"]) {
      assert.match(stdout, new RegExp(`^  [✓!] ${name} `, "m"));
    }
    assert.match(stdout, /\d+ ok, \d+ warnings, 0 broken\n$/);
    assert.deepEqual([...new Bun.Glob("**").scanSync({ cwd: here.home, dot: true })], []);
  });

  it("sees that the provider answers", slow, async () => {
    await using mock = await mockResponses();
    await using here = await place(mock);
    const { code, found } = await report(here);
    assert.equal(found.provider?.status, "ok");
    assert.match(found.provider?.message ?? "", /answers/);
    assert.equal(code, 0);
  });

  it("tells a provider that is gone, and a key that is missing, without any password", slow, async () => {
    await using here = await place();
    const gone = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const { port } = gone;
    gone.stop(true);
    const config = `model_provider = "mine"
[model_providers.mine]
name = "Mine"
base_url = "http://me:hunter2@127.0.0.1:${port}/v1?key=hunter3"
env_key = "MY_MISSING_KEY"
`;
    writeFileSync(join(here.home, "config.toml"), config);
    const { code, stdout, overallStatus, found } = await report(here);
    assert.deepEqual([code, overallStatus], [1, "failed"]);
    assert.equal(found.provider?.status, "failed");
    assert.deepEqual([found.key?.status, found.key?.message], ["failed", "MY_MISSING_KEY is not set"]);
    assert.doesNotMatch(stdout, /hunter/);
    assert.equal((await report(here, "--offline")).found.provider, undefined);
  });

  it(
    "finds the key where the server would: in a variable, the configuration, a file or the keyring",
    slow,
    async () => {
      await using here = await place();
      const key = async (config: string) => {
        writeFileSync(join(here.home, "config.toml"), config);
        return (await report(here, "--offline")).found.key;
      };
      const mine = (more: string) =>
        `model_provider = "mine"\n[model_providers.mine]\nbase_url = "http://127.0.0.1:1/v1"\n${more}\n`;
      here.env.MY_KEY = " ";
      assert.equal((await key(mine('env_key = "MY_KEY"')))?.message, "MY_KEY is not set");
      here.env.MY_KEY = "secret-1";
      assert.deepEqual(await key(mine('env_key = "MY_KEY"')).then(words), ["ok", "MY_KEY is set"]);
      const inConfig = mine('experimental_bearer_token = "secret-2"');
      assert.deepEqual(await key(inConfig).then(words), ["ok", "the configuration holds one"]);
      assert.match((await key(mine("requires_openai_auth = true")))?.message ?? "", /^nobody is logged in/);
      const login = JSON.stringify({ auth_mode: "apikey", OPENAI_API_KEY: "secret-3" });
      writeFileSync(join(here.home, "auth.json"), login);
      assert.deepEqual(await key(mine("requires_openai_auth = true")).then(words), ["ok", "an API key is stored"]);
      // A login is for who asks for one, and a server that has one asks a model.
      assert.equal((await key(mine('env_key = "MISSING"')))?.message, "MISSING is not set");
      assert.deepEqual(await key("").then(words), ["ok", "an API key is stored"]);
      rmSync(join(here.home, "auth.json"));
      // Not in the working folder, where a command may have put it.
      const bin = join(here.home, "bin");
      mkdirSync(bin);
      writeFileSync(join(bin, "secret-tool"), `#!/bin/sh\necho '${login}'\n`, { mode: 0o755 });
      here.env.PATH = `${bin}:${here.env.PATH}`;
      const keyring = 'cli_auth_credentials_store = "keyring"\n';
      assert.deepEqual(await key(keyring).then(words), ["ok", "an API key is stored"]);
      writeFileSync(join(bin, "secret-tool"), "#!/bin/sh\necho 'it is locked' >&2; exit 1\n", { mode: 0o755 });
      const locked = await report(here, "-c", 'model_provider="openai"', "--offline");
      assert.equal(locked.found.key?.status, "failed");
      assert.match(locked.stdout, /it is locked/);
      assert.doesNotMatch(locked.stdout, /secret-\d/);
    },
  );

  it("names the line of a config that cannot be read", slow, async () => {
    await using here = await place();
    writeFileSync(join(here.home, "config.toml"), 'model = "a"\nmodel = = 2\n');
    const { code, found } = await report(here);
    assert.equal(code, 1);
    assert.equal(found.config?.status, "failed");
    assert.match(found.config?.message ?? "", /config\.toml/);
    const { stdout } = await here.run(["doctor", "--offline"]);
    assert.equal(stdout.split("config.toml:").length, 2, "once is enough");
    assert.match(stdout, /✗ mcp +the same as config/);
  });

  it("warns of fields without a meaning, of MCP servers that are not there, and of a broken index", slow, async () => {
    await using here = await place();
    writeFileSync(join(here.home, "config.toml"), 'modle = "a"\n[mcp_servers.lost]\ncommand = "no-such-program"\n');
    writeFileSync(join(here.home, "quire-index.sqlite"), "this is no database, and never was one");
    const { code, overallStatus, found } = await report(here);
    assert.deepEqual([code, overallStatus], [0, "warning"]);
    for (const name of ["fields", "mcp", "sqlite"]) assert.equal(found[name]?.status, "warning", name);
    assert.match(found.fields?.message ?? "", /modle/);
    assert.match(found.mcp?.message ?? "", /lost: no-such-program/);
    const { stdout } = await here.run(["doctor", "--summary", "--ascii"]);
    assert.match(stdout, /\[!!] fields/);
    assert.doesNotMatch(stdout, /\[ok]/);
  });

  it("says that a home cannot be made where there is no folder for it", slow, async () => {
    await using here = await place();
    writeFileSync(join(here.home, "file"), "");
    here.env.QUIRE_HOME = join(here.home, "file", "home");
    assert.match(
      (await here.run(["doctor", "--offline"])).stdout,
      /✗ home +\S+ cannot be made: \S+file is no folder\n +set QUIRE_HOME/,
    );
    const daemon = await here.run(["app-server", "daemon", "start"]);
    assert.equal(daemon.code, 1);
    assert.match(daemon.stderr, /cannot use the home folder: .*; set QUIRE_HOME to a writable folder/);
  });

  it("says that a home which is no folder cannot be used", slow, async () => {
    await using here = await place();
    mkdirSync(join(here.cwd, "sub"));
    writeFileSync(join(here.cwd, "file"), "");
    const { code, found } = await report({ ...here, run: (args) => runWithHome(here, args, join(here.cwd, "file")) });
    assert.equal(code, 1);
    assert.equal(found.home?.status, "failed");
  });
});

async function runWithHome(here: Place, args: readonly string[], home: string) {
  const { launcher } = await import("../support/quire.ts");
  const child = Bun.spawn([launcher, ...args], {
    cwd: here.cwd,
    env: { ...here.env, QUIRE_HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, stdout, stderr };
}
