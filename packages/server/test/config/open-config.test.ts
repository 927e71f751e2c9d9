import assert from "node:assert/strict";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { ConfigError } from "../../src/config/config-error.ts";
import { resolveHome } from "../../src/config/home.ts";
import { type OpenConfigOptions, openConfig } from "../../src/config/open-config.ts";
import { parseOverrides } from "../../src/config/overrides.ts";

async function setUp(files: Readonly<Record<string, string>> = {}, options: Partial<OpenConfigOptions> = {}) {
  const dir = await tempDir();
  const home = join(dir.path, "home");
  const cwd = join(dir.path, "project");
  await mkdir(home);
  await mkdir(cwd);
  for (const [name, text] of Object.entries(files)) {
    const path = join(dir.path, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text.replaceAll("$CWD", cwd));
  }
  const config = openConfig({ home, env: {}, ...options });
  return { dir, home, cwd, config, [Symbol.asyncDispose]: () => dir.remove() };
}

const mockProvider = '[model_providers.mock]\nname = "Mock"\nbase_url = "http://127.0.0.1:1/v1"\n';

test("a fresh machine gets the offline model, asks before it acts and only reads", async () => {
  await using it = await setUp();
  const config = it.config.resolve({ cwd: it.cwd });
  assert.equal(config.model, "quire-offline");
  assert.equal(config.modelProvider, "offline");
  assert.equal(config.provider.baseUrl, null);
  assert.equal(config.approvalPolicy, "on-request");
  assert.deepEqual(config.sandboxPolicy, { type: "readOnly", networkAccess: false });
  assert.equal(config.contextWindow, 258_400);
  assert.equal(config.projectDocMaxBytes, 32_768);
});

test("a key for OpenAI in the environment is enough to use it", async () => {
  await using it = await setUp({}, { env: { OPENAI_API_KEY: "sk-1" } });
  const config = it.config.resolve({ cwd: it.cwd });
  assert.equal(config.modelProvider, "openai");
  assert.equal(config.model, "gpt-6.1-sol");
  assert.equal(config.provider.baseUrl, "https://api.openai.com/v1");
  assert.equal(config.provider.envKey, "OPENAI_API_KEY");
});

test("a stored login is enough to use OpenAI", async () => {
  await using it = await setUp({}, { loggedIn: () => true });
  assert.equal(it.config.resolve({ cwd: it.cwd }).modelProvider, "openai");
});

test("a home in a repository, as one of dotfiles, is the user's own", async () => {
  const dir = await tempDir();
  await using _ = dir;
  const home = join(dir.path, ".codex");
  await mkdir(join(dir.path, ".git"));
  await mkdir(home);
  await writeFile(join(home, "config.toml"), 'model = "m"\nmodel_instructions_file = "base.md"\n');
  await writeFile(join(home, "base.md"), "You are terse.");
  const config = openConfig({ home, env: {} }).resolve({ cwd: dir.path });
  assert.equal(config.model, "m");
  assert.equal(config.baseInstructions, "You are terse.");
  assert.equal(config.warnings, undefined);
});

test("all settings of a thread come from config.toml", async () => {
  await using it = await setUp({
    "home/config.toml": `
model = "m"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "workspace-write"
model_reasoning_effort = "high"
model_reasoning_summary = "detailed"
model_verbosity = "high"
model_context_window = 1000
model_auto_compact_token_limit = 800
personality = "friendly"
service_tier = "flex"
developer_instructions = "Be brief"
model_instructions_file = "base.md"
project_doc_max_bytes = 10
project_doc_fallback_filenames = ["CLAUDE.md"]
unknown_key = 1
[sandbox_workspace_write]
writable_roots = ["/data", "rel"]
network_access = true
[model_providers.mock]
name = "Mock"
base_url = "http://127.0.0.1:1/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
http_headers = { "X-A" = "a" }
env_http_headers = { "X-B" = "B" }
query_params = { v = "1" }
request_max_retries = 1
stream_max_retries = 2
stream_idle_timeout_ms = 3
`,
    "home/base.md": "You are terse.",
  });
  const { raw, folders, workspaceWrite: _, ...config } = it.config.resolve({ cwd: it.cwd });
  assert.deepEqual(folders, [it.config.home]);
  assert.deepEqual(config, {
    model: "m",
    modelProvider: "mock",
    effort: "high",
    summary: "detailed",
    verbosity: "high",
    approvalPolicy: "never",
    approvalsReviewer: "user",
    sandboxPolicy: {
      type: "workspaceWrite",
      writableRoots: ["/data", join(it.home, "rel")],
      networkAccess: true,
      excludeTmpdirEnvVar: false,
      excludeSlashTmp: false,
    },
    personality: "friendly",
    serviceTier: "flex",
    baseInstructions: "You are terse.",
    developerInstructions: "Be brief",
    contextWindow: 950,
    autoCompactLimit: 800,
    projectDocMaxBytes: 10,
    projectDocFallbacks: ["CLAUDE.md"],
    provider: {
      id: "mock",
      name: "Mock",
      baseUrl: "http://127.0.0.1:1/v1",
      envKey: "MOCK_KEY",
      envKeyInstructions: null,
      bearerToken: null,
      headers: { "X-A": "a" },
      envHeaders: { "X-B": "B" },
      queryParams: { v: "1" },
      requestMaxRetries: 1,
      streamMaxRetries: 2,
      streamIdleTimeoutMs: 3,
      requiresOpenaiAuth: false,
    },
  });
  assert.equal(raw.unknown_key, 1);
});

test("the command line wins over the file, and a thread over the command line", async () => {
  await using it = await setUp(
    { "home/config.toml": `model = "file"\nsandbox_mode = "workspace-write"\n${mockProvider}` },
    {
      cliOverrides: parseOverrides([
        "model=cli",
        "model_provider=mock",
        "sandbox_workspace_write.network_access=true",
        'projects."/a.b".trust_level="trusted"',
      ]),
    },
  );
  const fromCli = it.config.resolve({ cwd: it.cwd });
  assert.equal(fromCli.model, "cli");
  assert.equal(fromCli.modelProvider, "mock");
  assert.deepEqual(fromCli.raw.projects, { "/a.b": { trust_level: "trusted" } });
  assert.equal("networkAccess" in fromCli.sandboxPolicy && fromCli.sandboxPolicy.networkAccess, true);
  const overrides = { model: "thread", "sandbox_workspace_write.network_access": false, personality: null };
  const fromThread = it.config.resolve({ cwd: it.cwd, overrides });
  assert.equal(fromThread.model, "thread");
  assert.equal("networkAccess" in fromThread.sandboxPolicy && fromThread.sandboxPolicy.networkAccess, false);
});

test("a profile's settings hold while it is chosen", async () => {
  await using it = await setUp({
    "home/config.toml": 'model = "a"\nprofile = "p"\n[profiles.p]\nmodel = "from-profile"\n',
    "home/other.config.toml": 'model = "from-file"\n',
  });
  assert.equal(it.config.resolve({ cwd: it.cwd }).model, "from-profile");
  assert.equal(it.config.resolve({ cwd: it.cwd, overrides: { profile: "other" } }).model, "from-file");
  assert.throws(
    () => it.config.resolve({ cwd: it.cwd, overrides: { profile: "../x" } }),
    /profile "\.\.\/x" is not defined/,
  );
});

test("a trusted project may write in its folder and has a say, but not about where requests go", async () => {
  await using it = await setUp({
    "home/config.toml": `model_provider = "mock"\n${mockProvider}[projects."$CWD"]\ntrust_level = "trusted"\n`,
    "project/.git/HEAD": "ref: refs/heads/main\n",
    "project/.codex/config.toml": 'model = "root"\napproval_policy = "never"\nmodel_provider = "evil"\n',
    "project/sub/.codex/config.toml": 'model = "sub"\n',
  });
  const config = it.config.resolve({ cwd: join(it.cwd, "sub") });
  assert.equal(config.model, "sub");
  assert.equal(config.approvalPolicy, "never");
  assert.equal(config.modelProvider, "mock");
  assert.equal(config.sandboxPolicy.type, "workspaceWrite");
  assert.match(
    it.config.warnings({ cwd: it.cwd })[0]?.summary ?? "",
    /a project cannot set model_provider; set it in /,
  );
});

for (const level of ["untrusted", undefined]) {
  test(`a project that is ${level ?? "unknown"} cannot configure anything, not even by a broken file`, async () => {
    await using it = await setUp({
      "home/config.toml": level === undefined ? "" : `[projects."$CWD"]\ntrust_level = "${level}"\n`,
      "project/.codex/config.toml": 'model = "evil"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n',
    });
    const config = it.config.resolve({ cwd: it.cwd });
    assert.equal(config.model, "quire-offline");
    assert.equal(config.approvalPolicy, level ?? "on-request");
    assert.equal(config.sandboxPolicy.type, "readOnly");
    assert.match(it.config.warnings({ cwd: it.cwd })[0]?.summary ?? "", /is left out\./);
    await writeFile(join(it.cwd, ".codex/config.toml"), "= broken");
    assert.equal(it.config.resolve({ cwd: it.cwd }).model, "quire-offline");
  });
}

const mistakes: readonly [name: string, toml: string, message: RegExp][] = [
  ["no TOML", 'model = "a"\n\nmodel_provider = \n', /config\.toml:3: Missing value after '='.*Correct the line/],
  ["an open string", 'a = 1\nmodel = "a\nb = 2\n', /config\.toml:2: Unterminated string/],
  ["a key twice", "a = 1\nb = 2\na = 3\n", /config\.toml:3: Cannot redefine key 'a'/],
  ["a number for a name", "\nmodel = 5\n", /config\.toml:2: model: expected a string that is not empty, found 5\./],
  [
    "an unknown policy",
    'model = "m"\napproval_policy = "bogus"\n',
    /config\.toml:2: approval_policy: expected "untrusted".* found "bogus"\. Change it/,
  ],
  ["an unknown mode", 'sandbox_mode = "x"\n', /:1: sandbox_mode: expected one of "read-only", "workspace-write"/],
  [
    "an unknown provider",
    'model_provider = "nope"\n',
    /:1: model_provider: Model provider `nope` not found\. Add a table/,
  ],
  [
    "an unknown wire API",
    'model_provider = "c"\n[model_providers.c]\nbase_url = "http://x"\nwire_api = "soap"\n',
    /:4: model_providers\.c\.wire_api: "soap" is not supported\. Set it to "responses", "chat"/,
  ],
  [
    "a package that is a path",
    'model_provider = "c"\n[model_providers.c]\npackage = "../evil.js"\n',
    /:3: model_providers\.c\.package: "\.\.\/evil\.js" is no name of an npm package/,
  ],
  [
    "a package and a wire API",
    'model_provider = "c"\n[model_providers.c]\nwire_api = "chat"\npackage = "@ai-sdk/mistral"\n',
    /:4: model_providers\.c\.package: cannot be combined with wire_api/,
  ],
  [
    "no address",
    'model_provider = "c"\n[model_providers.c]\nname = "c"\n',
    /:2: model_providers\.c: base_url is missing\./,
  ],
  [
    "a bad address",
    'model_provider = "c"\n[model_providers.c]\nbase_url = "ftp://x"\n',
    /:3: .*expected an http or https URL/,
  ],
  ["a negative number", "project_doc_max_bytes = -1\n", /expected a whole number of 0 or more, found -1/],
  ["a missing file", 'model_instructions_file = "none.md"\n', /none\.md cannot be read: ENOENT/],
  ["a wrong profile value", 'profile = "p"\n[profiles.p]\nmodel = 1\n', /config\.toml:3: model: expected a string/],
];

for (const [name, toml, message] of mistakes) {
  test(`a mistake in config.toml is told with its place and its remedy: ${name}`, async () => {
    await using it = await setUp({ "home/config.toml": toml });
    assert.throws(
      () => it.config.resolve({ cwd: it.cwd }),
      (error) => error instanceof ConfigError && message.test(error.message.replaceAll("\n", " ")),
      message.source,
    );
  });
}

test("a mistake on the command line or in a thread's overrides names its key", async () => {
  await using it = await setUp();
  assert.throws(
    () => it.config.resolve({ cwd: it.cwd, overrides: { approval_policy: "bogus" } }),
    /command line or thread: approval_policy: expected/,
  );
  const overrides = { sandbox_mode: "workspace-write", "sandbox_workspace_write.writable_roots": ["rel"] };
  assert.throws(() => it.config.resolve({ cwd: it.cwd, overrides }), /writable_roots: "rel" is no absolute path/);
  assert.throws(() => parseOverrides(["x"]), /-c x: expected key=value/);
});

test("a changed config.toml holds from the next thread on", async () => {
  await using it = await setUp({ "home/config.toml": 'model = "a"\n' });
  assert.equal(it.config.resolve({ cwd: it.cwd }).model, "a");
  const path = join(it.home, "config.toml");
  await writeFile(path, 'model = "b"\n');
  await utimes(path, 1, 1);
  assert.equal(it.config.resolve({ cwd: it.cwd }).model, "b");
});

test("config/read shows each layer, which value is whose, and null for what nobody set", async () => {
  await using it = await setUp(
    {
      "home/config.toml": 'model = "user"\n[projects."$CWD"]\ntrust_level = "trusted"\n',
      "project/.codex/config.toml": 'model = "project"\n',
    },
    { cliOverrides: parseOverrides(["tools.web_search=true"]) },
  );
  const { config, layers, origins } = it.config.read({ cwd: it.cwd });
  assert.equal(config.model, "project");
  assert.equal(config.sandbox_mode, null);
  assert.deepEqual(
    layers.map((layer) => layer.name),
    [
      { type: "sessionFlags" },
      { type: "project", dotCodexFolder: join(it.cwd, ".codex") },
      { type: "user", file: join(it.home, "config.toml"), profile: null },
    ],
  );
  assert.equal(origins.model?.name.type, "project");
  assert.equal(origins["tools.web_search"]?.name.type, "sessionFlags");
  assert.equal(origins[`projects.${it.cwd}.trust_level`]?.name.type, "user");
  // The hash that the stock server gives for a file with just this setting.
  const sub = await setUp({ "home/config.toml": 'model = "sub-model"\n' });
  const version = sub.config.read({ cwd: sub.cwd }).layers[0]?.version;
  await sub.dir.remove();
  assert.equal(version, "sha256:4dd06a830c7029687620f2e2e10c3dc169eb3cb81e36af1cd1c90c8bec92c395");
});

test("the home is found through the environment", () => {
  assert.equal(resolveHome({ QUIRE_HOME: "/q", CODEX_HOME: "/c", HOME: "/h" }), "/q");
  assert.equal(resolveHome({ CODEX_HOME: "/c", HOME: "/h" }), "/c");
  assert.equal(resolveHome({ HOME: "/h" }), "/h/.quire");
});
