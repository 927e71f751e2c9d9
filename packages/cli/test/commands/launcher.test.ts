import assert from "node:assert/strict";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { tempDir } from "@quire/testkit";
import { launcher, place, slow } from "../support/quire.ts";

/** Runs a launcher with nothing on PATH but what a shell needs. */
async function version(path: string, cwd: string) {
  const child = Bun.spawn([path, "--version"], { cwd, env: { PATH: "/usr/bin:/bin" }, stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, stdout, stderr };
}

describe("the launcher", () => {
  test(
    "works by its path, through links and chains of links, from any folder, Bun not being on PATH",
    slow,
    async () => {
      await using dir = await tempDir("quire launcher ");
      const bin = join(dir.path, "node_modules", ".bin");
      mkdirSync(bin, { recursive: true });
      mkdirSync(join(dir.path, "node_modules", "@quire"));
      symlinkSync(dirname(dirname(launcher)), join(dir.path, "node_modules", "@quire", "cli"));
      symlinkSync("../@quire/cli/bin/quire", join(bin, "quire"));
      symlinkSync(launcher, join(dir.path, "absolute"));
      symlinkSync("absolute", join(dir.path, "relative"));
      symlinkSync(join(bin, "quire"), join(dir.path, "to-bin"));
      symlinkSync(join(bin, "quire"), join(dir.path, "codex"));
      symlinkSync(join(dirname(realpathSync(process.execPath)), "..", ".."), join(dir.path, "node_modules", "bun"));
      for (const path of [
        launcher,
        join(bin, "quire"),
        join(dir.path, "absolute"),
        join(dir.path, "relative"),
        join(dir.path, "to-bin"),
        "./relative",
        "node_modules/.bin/quire",
      ]) {
        const { code, stdout, stderr } = await version(path, dir.path);
        assert.equal(stderr, "", path);
        assert.equal(code, 0, path);
        assert.match(stdout, /^quire \d+\.\d+\.\d+ \(app-server protocol of Codex \d/);
      }
      assert.match((await version("./codex", dir.path)).stdout, /^codex-cli \d+\.\d+\.\d+\n$/);
    },
  );

  test("becomes the command: one process, with the launcher's own id", async () => {
    await using dir = await place();
    const child = Bun.spawn([launcher, "app-server"], { cwd: dir.cwd, env: dir.env, stdin: "pipe", stdout: "pipe" });
    await child.stdin.write('{"id":1,"method":"initialize","params":{"clientInfo":{"name":"t","version":"1"}}}\n');
    await child.stdin.flush();
    await child.stdout.getReader().read();
    if (process.platform === "linux") {
      assert.match(await Bun.file(`/proc/${child.pid}/cmdline`).text(), /main\.ts/);
      assert.equal((await Bun.file(`/proc/${child.pid}/task/${child.pid}/children`).text()).trim(), "");
    }
    await child.stdin.end();
    assert.equal(await child.exited, 0);
  });

  test("hands on arguments as they are", async () => {
    await using dir = await place();
    const { code, stderr } = await dir.run(["run", "--model", "a b", "--sandbox", "wrong value", "*", ""]);
    assert.equal(code, 2);
    assert.match(stderr, /invalid value 'wrong value' for '--sandbox <MODE>'/);
  });

  test("takes nothing from the folder it is started in: no .env, no bunfig.toml", async () => {
    await using dir = await place();
    writeFileSync(join(dir.cwd, ".env"), "QUIRE_HOME=/nonexistent\nQUIRE_LOG=debug\n");
    writeFileSync(join(dir.cwd, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
    writeFileSync(join(dir.cwd, "evil.ts"), 'console.log("evil"); process.exit(9);');
    const { code, stdout } = await dir.run(["--version"]);
    assert.equal(code, 0);
    assert.doesNotMatch(stdout, /evil/);
  });

  test("says what to do where there is no Bun", async () => {
    await using dir = await tempDir("quire-bare-");
    // Deeper than it looks up: there may be a Bun in a folder above the temporary one.
    const cli = join(dir.path, "1/2/3/4/5/6/7/8/cli");
    mkdirSync(join(cli, "bin"), { recursive: true });
    mkdirSync(join(cli, "src"));
    writeFileSync(join(cli, "src", "main.ts"), "");
    const copy = join(cli, "bin", "quire");
    writeFileSync(copy, await Bun.file(launcher).text(), { mode: 0o755 });
    const { code, stderr } = await version(copy, dir.path);
    assert.equal(code, 127);
    assert.match(stderr, /Bun was not found beside .*run `npm install` there/);
  });
});

test("npm run build makes one file that needs nothing beside it", slow, async () => {
  await using dir = await place();
  const file = join(dir.home, "quire");
  const script = join(import.meta.dirname, "..", "..", "..", "..", "scripts", "build-executable.ts");
  const build = Bun.spawn([process.execPath, script, file], { stdout: "ignore", stderr: "pipe" });
  assert.equal(await new Response(build.stderr).text(), "");
  assert.equal(await build.exited, 0);
  writeFileSync(join(dir.cwd, ".env"), "QUIRE_HOME=/nonexistent\n");
  const child = Bun.spawn([file, "run", "run: echo it-works"], {
    cwd: dir.cwd,
    env: { HOME: dir.home, PATH: "/usr/bin:/bin" },
    stdout: "pipe",
    stderr: "pipe",
  });
  assert.match(await new Response(child.stdout).text(), /it-works/);
  assert.equal(await child.exited, 0);
  symlinkSync("quire", join(dir.home, "codex"));
  assert.match((await version(join(dir.home, "codex"), dir.cwd)).stdout, /^codex-cli \d+\.\d+\.\d+\n$/);
});
