import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type TempDir, tempDir } from "@quire/testkit";
import { openConfig } from "../../src/config/open-config.ts";
import { parseOverrides } from "../../src/config/overrides.ts";
import { TrustRecords } from "../../src/config/trust/trust-records.ts";

const free = 'sandbox_mode = "danger-full-access"\n';
const script = fileURLToPath(new URL("fixtures/resolve.ts", import.meta.url));

/** A home, and projects beside it. */
class Place implements AsyncDisposable {
  readonly #folder: TempDir;
  readonly home: string;

  constructor(folder: TempDir) {
    this.#folder = folder;
    this.home = join(folder.path, "home");
    mkdirSync(this.home);
  }

  get path(): string {
    return this.#folder.path;
  }

  /** A repository; gives its folder. */
  repository(name: string, config?: string): string {
    const root = join(this.path, name);
    this.write(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
    if (config !== undefined) this.write(join(root, ".codex/config.toml"), config);
    return root;
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Trusts projects as an editor or Codex does: by the file alone. */
  trust(...roots: string[]): void {
    const rows = roots.map((root) => `[projects.${JSON.stringify(root)}]\ntrust_level = "trusted"\n`);
    this.write(join(this.home, "config.toml"), rows.join(""));
  }

  /** What a command may do in a folder, for a server that has just been started. */
  sandbox(cwd: string): string {
    return openConfig({ home: this.home, env: {} }).resolve({ cwd }).sandboxPolicy.type;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#folder[Symbol.asyncDispose]();
  }
}

const place = async () => new Place(await tempDir("quire-records-"));

/** A server process that says what a command may do in a folder. */
function resolver(home: string, wrap: readonly string[] = []) {
  const [program = "", ...args] = [...wrap, process.execPath, script, home];
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ask: async (cwd: string): Promise<string> => {
      child.stdin.write(`${cwd}\n`);
      return (await lines.next()).value;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await once(child, "exit");
    },
  };
}

test("trust by the command line holds for that server, for what is there, and writes nothing down", async () => {
  await using it = await place();
  const root = it.repository("app.js", free);
  const cliOverrides = parseOverrides([`projects.${JSON.stringify(root)}.trust_level="trusted"`]);
  const config = openConfig({ home: it.home, env: {}, cliOverrides });
  const sandbox = () => config.resolve({ cwd: root }).sandboxPolicy.type;
  assert.equal(sandbox(), "dangerFullAccess");
  it.write(join(root, ".codex/config.toml"), `${free}web_search = "live"\n`);
  assert.equal(sandbox(), "readOnly");
  assert.match(config.warnings({ cwd: root })[0]?.summary ?? "", /has changed since you trusted/);
  assert.deepEqual(readdirSync(it.home), []);
  assert.equal(it.sandbox(root), "readOnly");
});

const bubblewrap = Bun.which("bwrap");

test("where the home cannot be written, what is trusted holds as long as the server", {
  skip: bubblewrap === null && "install bubblewrap to run this",
}, async () => {
  await using it = await place();
  const root = it.repository("app", free);
  it.trust(root);
  const wrap = [bubblewrap ?? "", "--dev-bind", "/", "/", "--ro-bind", it.home, it.home];
  await using server = resolver(it.home, wrap);
  assert.equal(await server.ask(root), "dangerFullAccess");
  it.write(join(root, ".codex/config.toml"), `${free}web_search = "live"\n`);
  assert.equal(await server.ask(root), "readOnly");
  assert.deepEqual(readdirSync(it.home), ["config.toml"]);
});

for (const [what, spoil] of [
  ["is cut off", (path: string) => writeFileSync(path, readFileSync(path, "utf8").slice(0, 40))],
  ["is empty", (path: string) => writeFileSync(path, "")],
  [
    "belongs to another project",
    (path: string) => writeFileSync(path, readFileSync(path, "utf8").replace("app", "apb")),
  ],
  [
    "is a folder",
    (path: string) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
] as const) {
  test(`a record that ${what} trusts nothing, and a user hears so`, async () => {
    await using it = await place();
    const root = it.repository("app", free);
    it.trust(root);
    assert.equal(it.sandbox(root), "dangerFullAccess");
    const records = join(it.home, "trusted-projects");
    spoil(join(records, readdirSync(records)[0] ?? ""));
    assert.equal(it.sandbox(root), "readOnly");
    const [warning] = openConfig({ home: it.home, env: {} }).warnings({ cwd: root });
    assert.match(warning?.summary ?? "", /the record of what you trusted in .* cannot be read/);
    assert.match(warning?.details ?? "", /quire trust/);
  });
}

test("a .git file that points into a trusted repository makes no folder a part of it", async () => {
  await using it = await place();
  const root = it.repository("app", free);
  it.trust(root);
  assert.equal(it.sandbox(root), "dangerFullAccess");
  for (const [name, folder] of [
    ["work", join(it.path, "work")],
    ["vendor", join(root, "vendor")],
  ] as const) {
    it.write(join(root, ".git/worktrees", name, "gitdir"), `${folder}/.git\n`);
    it.write(join(folder, ".git"), `gitdir: ${root}/.git/worktrees/${name}\n`);
    it.write(join(folder, ".codex/config.toml"), free);
    assert.equal(it.sandbox(folder), "readOnly", name);
    it.trust(root, folder);
    assert.equal(it.sandbox(folder), "dangerFullAccess", name);
  }
});

test("names that only look like a trusted project's are not trusted", async () => {
  await using it = await place();
  const composed = it.repository("caf\u00e9", free);
  for (const name of ["cafe\u0301", "CAF\u00c9", "caf\u00e9 "]) it.repository(name, free);
  it.trust(`${composed}/`, join(it.path, "cafe\u0301", "."));
  assert.equal(it.sandbox(composed), "readOnly");
  it.trust(composed);
  assert.equal(it.sandbox(composed), "dangerFullAccess");
  for (const name of ["cafe\u0301", "CAF\u00c9", "caf\u00e9 "])
    assert.equal(it.sandbox(join(it.path, name)), "readOnly");
});

test("servers that see projects for the first time at once agree on what is trusted", async () => {
  await using it = await place();
  const roots = Array.from({ length: 20 }, (_, index) => it.repository(`app${index}`, free));
  it.trust(...roots);
  const servers = Array.from({ length: 3 }, () => resolver(it.home));
  try {
    const seen = await Promise.all(servers.map((server) => server.ask(roots[0] ?? "")));
    assert.deepEqual(new Set(seen), new Set(["dangerFullAccess"]));
  } finally {
    for (const server of servers) await server[Symbol.asyncDispose]();
  }
  const names = readdirSync(join(it.home, "trusted-projects"));
  assert.equal(names.length, roots.length);
  const records = new TrustRecords(it.home);
  for (const root of roots) assert.equal(records.read(root)?.damaged, undefined, root);
});

test("two servers that change one record at once lose neither's change", async () => {
  await using it = await place();
  const root = it.repository("app", free);
  it.trust(root);
  it.sandbox(root);
  const [one, two] = [new TrustRecords(it.home), new TrustRecords(it.home)];
  let meddled = false;
  one.update(root, (record) => {
    if (!meddled) {
      meddled = true;
      two.update(root, (other) => ({ ...other, scripts: { ...other.scripts, "b.sh": "sha256:b" } }));
    }
    return { ...record, scripts: { ...record.scripts, "a.sh": "sha256:a" } };
  });
  assert.deepEqual(one.read(root)?.scripts, { "a.sh": "sha256:a", "b.sh": "sha256:b" });
});
