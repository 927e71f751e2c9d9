/** Attacks: the folder that quire is started in. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { attack } from "@quire/testkit/attack";
import { launcher, type Place, place, slow } from "../support/quire.ts";

const main = join(import.meta.dirname, "..", "..", "src", "main.ts");

/** A server's answer to the handshake and to a thread, started as people do, or by Bun alone. */
async function answers({ cwd, env }: Place, guarded: boolean, more: Record<string, string> = {}): Promise<string> {
  const argv = guarded ? [launcher] : [process.execPath, main];
  const child = Bun.spawn([...argv, "app-server"], {
    cwd,
    env: { ...env, ...more },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  const clientInfo = { name: "test", version: "1" };
  const requests = [
    { id: 1, method: "initialize", params: { clientInfo } },
    { method: "initialized" },
    { id: 2, method: "thread/start", params: {} },
    { id: 3, method: "gitDiffToRemote", params: { cwd } },
  ];
  void child.stdin.write(requests.map((each) => `${JSON.stringify(each)}\n`).join(""));
  await child.stdin.flush();
  let text = "";
  const wanted = ['"id":1', '"id":2', '"id":3'];
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (wanted.every((each) => text.includes(each))) break;
  }
  child.kill();
  await child.exited;
  return text;
}

/** Puts files into the folder that the server is started in. */
function plant({ cwd }: Place, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(cwd, name, ".."), { recursive: true });
    writeFileSync(join(cwd, name), text, { mode: 0o755 });
  }
}

/** Code that leaves a mark in the folder that it was planted in. */
const marks = ({ cwd }: Place): string => `require("node:fs").writeFileSync(${JSON.stringify(join(cwd, "ran"))}, "");`;
const ran = ({ cwd }: Place): boolean => existsSync(join(cwd, "ran"));

attack("runs code in quire by bunfig.toml of the folder it is started in", async (guarded) => {
  await using dir = await place();
  plant(dir, { "bunfig.toml": 'preload = ["./evil.ts"]\n', "evil.ts": marks(dir) });
  await answers(dir, guarded);
  return ran(dir);
});

attack("runs code in quire by tsconfig.json of the folder it is started in", async (guarded) => {
  await using dir = await place();
  const compilerOptions = { baseUrl: ".", paths: { "*": ["./evil.ts"] } };
  plant(dir, { "tsconfig.json": JSON.stringify({ compilerOptions }), "evil.ts": marks(dir) });
  await answers(dir, guarded);
  return ran(dir);
});

attack("runs code in quire by jsconfig.json of a folder above", async (guarded) => {
  await using dir = await place();
  const compilerOptions = { baseUrl: ".", paths: { "*": ["./work/evil.ts"] } };
  plant(dir, { "../jsconfig.json": JSON.stringify({ compilerOptions }), "evil.ts": marks(dir) });
  await answers(dir, guarded);
  return ran(dir);
});

attack("has quire use another home by .env of the folder it is started in", async (guarded) => {
  await using dir = await place();
  const { QUIRE_HOME: _, ...env } = dir.env;
  const evil = join(dir.cwd, "evil-home");
  mkdirSync(evil);
  plant(dir, { ".env": `QUIRE_HOME=${evil}\n` });
  return (await answers({ ...dir, env }, guarded)).includes('evil-home"');
});

test("quire takes nothing from a hostile folder", slow, async () => {
  await using dir = await place();
  const shell = `#!/bin/sh\ntouch '${join(dir.cwd, "ran")}'\n`;
  const code = marks(dir);
  const programs = ["git", "bwrap", "bun", "node", "npm", "sh", "env", "secret-tool", "readlink", "xargs", "ps"];
  plant(dir, {
    "bunfig.toml": 'preload = ["./evil.ts"]\n[install]\nauto = "force"\n',
    ".env": "BUN_OPTIONS=--preload=./evil.ts\nNODE_OPTIONS=--require=./evil.js\nGIT_EXTERNAL_DIFF=./evil.sh\n",
    ".npmrc": "node-options=--require=./evil.js\nscript-shell=./evil.sh\n",
    "package.json": JSON.stringify({
      type: "commonjs",
      imports: { "#x": "./evil.js" },
      scripts: { preinstall: "./evil.sh" },
    }),
    "tsconfig.json": JSON.stringify({ compilerOptions: { baseUrl: ".", paths: { "*": ["./evil.ts"] } } }),
    "node_modules/@quire/server/package.json": JSON.stringify({ name: "@quire/server", main: "evil.js" }),
    "node_modules/@quire/server/evil.js": code,
    "evil.ts": code,
    "evil.js": code,
    "evil.sh": shell,
    ...Object.fromEntries(programs.map((name) => [`node_modules/.bin/${name}`, shell])),
  });
  for (const args of [
    ["init", "-q"],
    ["add", "evil.sh"],
    ["-c", "user.name=t", "-c", "user.email=t@x", "commit", "-q", "-m", "x"],
    ["update-ref", "refs/remotes/origin/main", "HEAD"],
    ["config", "core.fsmonitor", join(dir.cwd, "evil.sh")],
    ["config", "diff.external", join(dir.cwd, "evil.sh")],
  ])
    assert.equal(Bun.spawnSync(["git", "-C", dir.cwd, ...args]).exitCode, 0, args.join(" "));
  // As `npm run` sets it, and as some people do for good.
  const path = `${dir.env.PATH}:${join(dir.cwd, "node_modules", ".bin")}:node_modules/.bin:.`;
  const text = await answers(dir, true, { PATH: path });
  assert.match(text, /"id":2,"result"/);
  assert.match(text, /"id":3,"result":\{"sha"/);
  assert.ok(!ran(dir), "something of the folder has run");
});
