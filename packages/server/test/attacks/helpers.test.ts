/** Attacks: the server's own helpers. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { openKeyring } from "../../src/account/keyring.ts";
import { confinedHelper } from "../../src/run/helpers/confine.ts";

/** A folder with code of an attacker's, and whether that has run. */
async function hostileFolder() {
  const folder = await tempDir("quire-helper-");
  const mark = join(folder.path, "ran");
  const evil = join(folder.path, "evil.ts");
  writeFileSync(evil, `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "");`);
  return { path: folder.path, evil, ran: () => existsSync(mark), [Symbol.asyncDispose]: () => folder.remove() };
}

/**
 * Asks a keyring that another Bun is started for, as on macOS and Windows, by a server that was started there; or starts that
 * as it was started before: there, with all variables.
 */
async function asksKeyring(cwd: string, guarded: boolean, more: Record<string, string> = {}): Promise<void> {
  const env = { ...process.env, ...more };
  if (!guarded) return void Bun.spawnSync([process.execPath, "-e", "0"], { cwd, env, stdin: "ignore" });
  await startedIn(cwd, () => openKeyring({ home: cwd, env, platform: "darwin" }).get());
}

/** Does something in a folder. What it throws is of no interest: there may be no keyring. */
async function startedIn(cwd: string, work: () => unknown): Promise<void> {
  const before = process.cwd();
  process.chdir(cwd);
  try {
    await work();
  } catch {
    // Its outcome is what it leaves behind.
  } finally {
    process.chdir(before);
  }
}

attack("runs code in the keyring's helper by bunfig.toml of the repository", async (guarded) => {
  await using folder = await hostileFolder();
  writeFileSync(join(folder.path, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
  await asksKeyring(folder.path, guarded);
  return folder.ran();
});

attack("runs code in the keyring's helper by a variable", async (guarded) => {
  await using folder = await hostileFolder();
  await asksKeyring(folder.path, guarded, { BUN_OPTIONS: `--preload ${folder.evil}` });
  return folder.ran();
});

/** Whether a `secret-tool` that was planted there is run by a server that was started in `cwd`, or by a plain look-up. */
async function runsPlanted(planted: string, guarded: boolean, { cwd, mode }: { cwd: string; mode: number }) {
  const mark = join(cwd, "ran");
  mkdirSync(planted, { recursive: true });
  chmodSync(planted, mode);
  writeFileSync(join(planted, "secret-tool"), `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${planted}:${process.env.PATH}` };
  if (guarded) await startedIn(cwd, () => openKeyring({ home: cwd, env, platform: "linux" }).get());
  else Bun.spawnSync([Bun.which("secret-tool", { PATH: env.PATH }) ?? "", "lookup"], { env, stdin: "ignore" });
  return existsSync(mark);
}

attack("is handed the login as a secret-tool in the folder the server was started in", async (guarded) => {
  await using folder = await tempDir("quire-helper-");
  return runsPlanted(join(folder.path, "bin"), guarded, { cwd: folder.path, mode: 0o755 });
});

attack("is handed the login as a secret-tool of a package in another folder", async (guarded) => {
  await using folder = await tempDir("quire-helper-");
  await using other = await tempDir("quire-other-");
  return runsPlanted(join(other.path, "node_modules", ".bin"), guarded, { cwd: folder.path, mode: 0o755 });
});

attack("is handed the login as a secret-tool in a folder that everybody writes", async (guarded) => {
  await using folder = await tempDir("quire-helper-");
  await using other = await tempDir("quire-other-");
  return runsPlanted(join(other.path, "shared"), guarded, { cwd: folder.path, mode: 0o777 });
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
