import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { slow } from "../support/quire.ts";
import { type Install, install } from "./support/install.ts";

const onLinux = { ...slow, skip: process.platform === "linux" ? false : "reads /proc" };
const bun = realpathSync(process.execPath);

/** Replaces a text in a source so that neither its size nor its date tells. */
function edit(file: string, from: string, to: string): void {
  const { atime, mtime } = statSync(file);
  const text = readFileSync(file, "utf8");
  assert.ok(text.includes(from) && from.length === to.length, "the edit keeps the size");
  writeFileSync(file, text.replace(from, to));
  utimesSync(file, atime, mtime);
}

describe("a bundle", () => {
  let place: Install;
  let outcomes: readonly string[];
  before(async () => {
    place = await install();
    outcomes = await Promise.all([place.build(), place.build()]);
  }, slow);
  after(() => place[Symbol.asyncDispose]());

  test("is whole when two processes build at once", onLinux, async () => {
    assert.ok(outcomes.includes("built"), outcomes.join());
    assert.ok(
      outcomes.every((outcome) => ["built", "busy", "current"].includes(outcome)),
      outcomes.join(),
    );
    assert.equal(await place.serverProgram(), place.bundle);
    assert.deepEqual(readdirSync(dirname(place.bundle)).sort(), ["made-of.json", "quire"]);
    const left = readdirSync(dirname(dirname(place.bundle))).filter((name) => name.endsWith(".new"));
    assert.deepEqual(left, []);
    assert.ok(!existsSync(join(place.cli, "dist")), "nothing is written to the package");
  });

  test(
    "serves in place of the source by each path of the launcher, and leaves it the other commands",
    onLinux,
    async () => {
      const npmLauncher = join(place.cli, "..", "..", "node_modules", ".bin", "quire");
      assert.equal(await place.serverProgram(npmLauncher), place.bundle);
      const global = join(place.home, "quire");
      symlinkSync("../node_modules/.bin/quire", global);
      assert.equal(await place.serverProgram(global), place.bundle);
      assert.equal(await place.serverProgram("node_modules/.bin/quire"), place.bundle);
      assert.equal(await place.serverProgram("./packages/cli/bin/quire"), place.bundle);
      assert.equal(await place.build(), "current");
      assert.match((await place.run(["app-server", "daemon", "--help"])).stdout, /daemon/);
      assert.match((await place.run(["--version"])).stdout, /^quire \d/);
      assert.match((await place.run(["-c", "model=x", "app-server", "--help"])).stdout, /^Serve Codex clients/);
    },
  );

  test("loads a provider package that the user has installed, with what that needs", onLinux, async () => {
    const home = place.env.QUIRE_HOME ?? "";
    const install = (name: string, code: string) => {
      const folder = join(home, "node_modules", name);
      mkdirSync(join(folder, "made"), { recursive: true });
      writeFileSync(join(folder, "package.json"), JSON.stringify({ name, type: "module", exports: "./made/index.js" }));
      writeFileSync(join(folder, "made", "index.js"), code);
    };
    install("@own/needed", 'export const text = "From the package.";');
    install(
      "@own/models",
      `import { text } from "@own/needed";
      const parts = [{ type: "text-delta", id: "0", delta: text }, { type: "text-end", id: "0" },
        { type: "finish", usage: { inputTokens: {}, outputTokens: {} }, finishReason: { unified: "stop", raw: "stop" } }];
      const doStream = async () => ({ stream: ReadableStream.from(parts) });
      export const createOwn = () => ({
        languageModel: (modelId) => ({ specificationVersion: "v3", provider: "own", modelId, supportedUrls: {}, doStream }),
      });`,
    );
    writeFileSync(
      join(home, "config.toml"),
      'model = "m"\nmodel_provider = "own"\n[model_providers.own]\npackage = "@own/models"\n',
    );
    const { code, stdout, stderr } = await place.run(["exec", "--skip-git-repo-check", "go"]);
    rmSync(join(home, "config.toml"));
    assert.equal(code, 0, stderr);
    assert.match(stdout, /From the package\./);
  });

  test("of another package is not run, though it lies where the launcher looks", onLinux, async () => {
    const moved = `${place.cli}-moved`;
    renameSync(place.cli, moved);
    symlinkSync(moved, place.cli);
    assert.equal(await place.serverProgram(), bun);
    rmSync(place.cli);
    renameSync(moved, place.cli);
    assert.equal(await place.serverProgram(), place.bundle);
  });

  test("gives way to a source that was edited, until a process that lasts has built it anew", onLinux, async () => {
    edit(join(place.cli, "src", "commands", "app-server-flags.ts"), "Serve Codex clients", "Serve other clients");
    assert.match((await place.run(["app-server", "--help"])).stdout, /^Serve other clients/);
    assert.equal(await place.serverProgram(), bun);
    await place.lasts();
    assert.equal(await place.serverProgram(), place.bundle);
    assert.match((await place.run(["app-server", "--help"])).stdout, /^Serve other clients/);
  });

  test(
    "is not run if it is empty, another user's or behind a link, and fails if it is cut short",
    onLinux,
    async () => {
      truncateSync(place.bundle, statSync(place.bundle).size - (1 << 20));
      const cut = await place.run(["app-server", "--help"]);
      assert.notEqual(cut.code, 0);
      assert.match(cut.stderr, /truncated/);
      truncateSync(place.bundle, 0);
      assert.match((await place.run(["app-server", "--help"])).stdout, /^Serve/);

      writeFileSync(place.bundle, "#!/bin/sh\necho planted\n");
      if (process.getuid?.() === 0) {
        chownSync(place.bundle, 12345, 12345);
        assert.match((await place.run(["app-server", "--help"])).stdout, /^Serve/);
        chownSync(place.bundle, 0, 0);
      }
      const bundles = dirname(dirname(place.bundle));
      for (const folder of [bundles, dirname(bundles)]) {
        renameSync(folder, `${folder}-elsewhere`);
        symlinkSync(`${folder}-elsewhere`, folder);
        assert.match((await place.run(["app-server", "--help"])).stdout, /^Serve/);
        assert.equal(await place.build(), "refused");
        unlinkSync(folder);
        renameSync(`${folder}-elsewhere`, folder);
      }
    },
  );

  test("is not kept where others can write, and not needed without a home", onLinux, async () => {
    const home = join(place.home, "shared");
    mkdirSync(join(home, ".quire", "bundles"), { recursive: true });
    chmodSync(join(home, ".quire", "bundles"), 0o777);
    assert.equal(await place.build(home), "refused");
    delete place.env.HOME;
    assert.match((await place.run(["app-server", "--help"])).stdout, /^Serve/);
  });
});
