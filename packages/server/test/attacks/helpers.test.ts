/** Attacks: the server's own helpers. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { confinedHelper } from "../../src/helpers/confine.ts";
import { helperEnvironment, helperFolder, ownProgram } from "../../src/helpers/own-program.ts";

/** Starts another Bun as the keyring's helper is started, or as it was: in the repository, with all variables. */
async function startsIn(cwd: string, guarded: boolean, more: Record<string, string> = {}): Promise<void> {
  const env = { ...process.env, ...more };
  const child = guarded
    ? Bun.spawn(ownProgram("0"), {
        cwd: helperFolder,
        env: helperEnvironment(env),
        stdio: ["ignore", "ignore", "ignore"],
      })
    : Bun.spawn([process.execPath, "-e", "0"], { cwd, env, stdio: ["ignore", "ignore", "ignore"] });
  await child.exited;
}

attack("runs code in the keyring's helper by bunfig.toml of the repository", async (guarded) => {
  await using folder = await tempDir("quire-helper-");
  const mark = join(folder.path, "ran");
  writeFileSync(join(folder.path, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
  writeFileSync(join(folder.path, "evil.ts"), `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "");`);
  await startsIn(folder.path, guarded);
  return existsSync(mark);
});

attack("runs code in the keyring's helper by a variable", async (guarded) => {
  await using folder = await tempDir("quire-helper-");
  const mark = join(folder.path, "ran");
  const evil = join(folder.path, "evil.ts");
  writeFileSync(evil, `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "");`);
  await startsIn(folder.path, guarded, { BUN_OPTIONS: `--preload ${evil}` });
  return existsSync(mark);
});

/** What a shell prints as a helper, or as a plain child. */
async function prints(script: string, guarded: boolean, reads: readonly string[] = []): Promise<string> {
  const argv = ["/bin/sh", "-c", script];
  const child = Bun.spawn(guarded ? confinedHelper(argv, { reads, memoryMiB: 512 }) : argv, {
    cwd: "/",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return new Response(child.stdout).text();
}

attack("reads a file that a helper was not given", async (guarded) => {
  await using folder = await tempDir("quire-helper-");
  writeFileSync(join(folder.path, "key"), "secret");
  return (await prints(`cat '${folder.path}/key'`, guarded)).includes("secret");
});

attack("writes to a folder that a helper reads", async (guarded) => {
  await using folder = await tempDir("quire-helper-");
  await prints(`touch '${folder.path}/made'`, guarded, [folder.path]);
  return existsSync(join(folder.path, "made"));
});
