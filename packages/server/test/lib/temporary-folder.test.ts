import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { temporaryFolder } from "../../src/lib/temporary-folder.ts";

const source = join(import.meta.dirname, "..", "..", "src", "lib", "temporary-folder.ts");

/** Another process that makes a folder and ends in a given way. Gives the folder. */
async function madeElsewhere(home: string, end: string): Promise<string> {
  const script = `
    const { temporaryFolder } = await import(${JSON.stringify(source)});
    const { path } = temporaryFolder(${JSON.stringify(home)}, "git");
    await Bun.write(Bun.stdout, path);
    ${end}`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stdin: "ignore" });
  const path = await new Response(child.stdout).text();
  await child.exited;
  assert.ok(path.startsWith(join(home, ".tmp", "git-")), path);
  return path;
}

test("what the server makes for a while is its user's alone, and goes", async () => {
  await using home = await tempDir("quire-temporary-");
  const { path, ...folder } = temporaryFolder(home.path, "git");
  assert.equal(statSync(path).mode & 0o777, 0o700);
  assert.equal(statSync(join(home.path, ".tmp")).mode & 0o777, 0o700);
  writeFileSync(join(path, "file"), "");
  folder[Symbol.dispose]();
  assert.deepEqual(readdirSync(join(home.path, ".tmp")), []);
});

test("a folder goes with its process, and after a crash with the next; those of others stay", async () => {
  await using home = await tempDir("quire-temporary-");
  assert.ok(!existsSync(await madeElsewhere(home.path, "process.exit(0)")), "after an exit");
  const left = await madeElsewhere(home.path, "process.kill(process.pid, 'SIGKILL'); await Bun.sleep(60_000)");
  assert.ok(existsSync(left), "a killed process cannot clean up");
  using mine = temporaryFolder(home.path, "plugins");
  assert.ok(!existsSync(left), "swept");
  await madeElsewhere(home.path, "");
  assert.ok(existsSync(mine.path), "of a living process");
});
