import assert from "node:assert/strict";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { codexAvailable, codexCacheDir, installCodex, locateCodex, skipWithoutCodex, tempDir } from "@quire/testkit";

const posix = { skip: process.platform === "win32" ? "the stand-in for npm is a shell script" : false };

/** Runs `body` with a stand-in for npm and a cache of its own; both are found through the environment. */
async function withNpm(script: string, body: (cache: string) => Promise<void>): Promise<void> {
  await using dir = await tempDir();
  await mkdir(join(dir.path, "bin"));
  await writeFile(join(dir.path, "bin", "npm"), `#!/bin/sh\n${script}\n`);
  await chmod(join(dir.path, "bin", "npm"), 0o755);
  const before = { PATH: process.env.PATH, QUIRE_CACHE: process.env.QUIRE_CACHE, CI: process.env.CI };
  process.env.PATH = `${join(dir.path, "bin")}${delimiter}${before.PATH}`;
  process.env.QUIRE_CACHE = join(dir.path, "cache");
  delete process.env.CI;
  try {
    await body(process.env.QUIRE_CACHE);
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** Puts a package of the old layout, with the binaries of all platforms, where npm was told to. */
const oldLayout = `
echo run >> "$QUIRE_CACHE/runs"
codex="$3/node_modules/@openai/codex"
mkdir -p "$codex"
echo '{"name":"@openai/codex","version":"0.1.0"}' > "$codex/package.json"
for cpu in x86_64 aarch64; do for system in unknown-linux-musl apple-darwin; do
  mkdir -p "$codex/vendor/$cpu-$system/codex"
  echo binary > "$codex/vendor/$cpu-$system/codex/codex"
done; done`;

test("several installs at once download one version once and end with the same binary", posix, async () => {
  await withNpm(oldLayout, async (cache) => {
    assert.equal(codexAvailable("0.1.0"), false);
    await mkdir(cache, { recursive: true });
    const binaries = await Promise.all([1, 2, 3].map(() => installCodex("0.1.0")));
    assert.equal(new Set(binaries).size, 1);
    assert.ok(binaries[0]?.startsWith(codexCacheDir("0.1.0")));
    assert.equal(locateCodex("0.1.0"), binaries[0]);
    assert.equal(await installCodex("0.1.0"), binaries[0]);
    const { readFile, readdir } = await import("node:fs/promises");
    assert.equal(await readFile(join(cache, "runs"), "utf8"), "run\n");
    assert.deepEqual(await readdir(join(cache, "codex")), ["0.1.0"]);
    assert.equal((await readdir(join(codexCacheDir("0.1.0"), "node_modules/@openai/codex/vendor"))).length, 1);
  });
});

test("a version that cannot be had is skipped loudly, and fails on CI", posix, async () => {
  await withNpm("echo 'no such version' >&2; exit 1", async () => {
    const reason = await skipWithoutCodex("0.0.1");
    assert.match(
      String(reason),
      /Codex 0\.0\.1 cannot be had: npm install .* failed with exit code 1:\nno such version/,
    );
    process.env.CI = "true";
    await assert.rejects(skipWithoutCodex("0.0.1"), /must not be skipped on CI/);
  });
});

test("an install without a binary for this machine is an error and leaves nothing behind", posix, async () => {
  await withNpm("exit 0", async () => {
    await assert.rejects(installCodex("0.0.2"), /without a binary/);
    assert.equal(codexAvailable("0.0.2"), false);
  });
});

test("another version's package in a folder above is not taken for this one", posix, async () => {
  await withNpm(oldLayout, async (cache) => {
    await mkdir(cache, { recursive: true });
    const above = join(cache, "node_modules", "@openai", `codex-${process.platform}-${process.arch}`);
    const binary = await installCodex("0.1.0");
    await mkdir(above, { recursive: true });
    await writeFile(join(above, "package.json"), '{"version":"9.9.9"}');
    assert.equal(locateCodex("0.1.0"), binary);
  });
});
