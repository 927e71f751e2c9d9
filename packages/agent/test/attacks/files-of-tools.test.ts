/** Attacks: a model on the files that tools of an agent get. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HostFilesystem } from "@quire/agent/runtime";
import { tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";

interface Place extends AsyncDisposable {
  readonly root: string;
  /** Beside the root; holds `secret`. */
  readonly outside: string;
  read(path: string, guarded: boolean): Promise<string>;
  write(path: string, text: string, guarded: boolean): Promise<void>;
}

async function place(): Promise<Place> {
  const dir = await tempDir("quire-files-");
  const base = await realpath(dir.path);
  const [root, outside] = [join(base, "root"), join(base, "outside")];
  for (const folder of [root, outside]) mkdirSync(folder);
  writeFileSync(join(outside, "secret"), "secret");
  const files = new HostFilesystem(root);
  return {
    root,
    outside,
    read: (path, guarded) => (guarded ? files.readText(path) : readFile(join(root, path), "utf8")),
    write: (path, text, guarded) => (guarded ? files.writeText(path, text) : writeFile(join(root, path), text)),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

/** Whether a reader got the secret; a refusal is none. */
const leaked = (reading: Promise<string>) =>
  reading.then(
    (text) => text.includes("secret"),
    () => false,
  );

attack("reads a file outside through a link, by a tool of an agent", async (guarded) => {
  await using made = await place();
  symlinkSync(join(made.outside, "secret"), join(made.root, "notes.md"));
  return await leaked(made.read("notes.md", guarded));
});

attack("reads a file outside through a link in a folder above, by a tool of an agent", async (guarded) => {
  await using made = await place();
  symlinkSync(made.outside, join(made.root, "docs"));
  return await leaked(made.read("docs/secret", guarded));
});

attack("reads a file outside by .., by a tool of an agent", async (guarded) => {
  await using made = await place();
  return await leaked(made.read("../outside/secret", guarded));
});

attack("writes a file outside through a link, by a tool of an agent", async (guarded) => {
  await using made = await place();
  symlinkSync(join(made.outside, "secret"), join(made.root, "out.txt"));
  await made.write("out.txt", "changed", guarded).catch(() => undefined);
  return readFileSync(join(made.outside, "secret"), "utf8") === "changed";
});

attack("makes a file outside through a link that leads nowhere yet, by a tool of an agent", async (guarded) => {
  await using made = await place();
  symlinkSync(join(made.outside, "new"), join(made.root, "out.txt"));
  await made.write("out.txt", "new", guarded).catch(() => undefined);
  return existsSync(join(made.outside, "new"));
});

attack("swaps a folder for a link while a tool of an agent reads in it", async (guarded) => {
  await using made = await place();
  const { root, outside } = made;
  mkdirSync(join(root, "docs"));
  writeFileSync(join(root, "docs", "secret"), "harmless");
  let swapping = true;
  const swap = (async () => {
    while (swapping) {
      await rename(join(root, "docs"), join(root, "kept"));
      await symlink(outside, join(root, "docs"));
      await rm(join(root, "docs"));
      await rename(join(root, "kept"), join(root, "docs"));
    }
  })();
  let got = false;
  for (let tries = 0; tries < (guarded ? 500 : 20_000) && !got; tries++)
    got = await leaked(made.read("docs/secret", guarded));
  swapping = false;
  await swap;
  return got;
});

attack("hangs a tool of an agent by a pipe in the place of a file", async (guarded) => {
  await using made = await place();
  const pipe = join(made.root, "pipe");
  execFileSync("mkfifo", [pipe]);
  if (guarded)
    return !(await made.read("pipe", true).catch((error: Error) => error.message)).includes("no regular file");
  // A plain reader waits for a writer until it is killed.
  return spawnSync("cat", [pipe], { timeout: 200 }).signal === "SIGTERM";
});
