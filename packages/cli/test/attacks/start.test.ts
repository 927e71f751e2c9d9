/** Attacks: the folder that quire is started in. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { openBrowser } from "../../src/up/open-browser.ts";
import { launcher, type Place, place, slow } from "../support/quire.ts";

const main = join(import.meta.dirname, "..", "..", "src", "main.ts");

type Env = Record<string, string>;

/** A server's answer to the handshake and to a thread, started as people do, or by Bun alone. */
async function answers({ cwd, env }: Place, guarded: boolean, more: Env = {}): Promise<string> {
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
function plant({ cwd }: Pick<Place, "cwd">, files: Readonly<Record<string, string>>): void {
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

/** What Bun has kept of compiled code, with a beginning of ours put before all of it, as its format of 1.4 has it. */
function poison(folder: string, code: string): void {
  if (!existsSync(folder)) return;
  // A server that was ended may have left some half written.
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".pile"))) {
    const file = readFileSync(join(folder, name));
    if (file.length < 102) continue;
    const [start, length] = [Number(file.readBigUInt64LE(30)), Number(file.readBigUInt64LE(38))];
    const compiled = Buffer.concat([Buffer.from(code), file.subarray(start, start + length)]);
    const changed = Buffer.concat([file.subarray(0, start), compiled, file.subarray(start + length)]);
    changed.writeBigUInt64LE(BigInt(compiled.length), 38);
    changed.writeBigUInt64LE(BigInt(Bun.hash.wyhash(compiled, 42n)), 46);
    changed.writeBigUInt64LE(file.readBigUInt64LE(54) + BigInt(compiled.length - length), 54);
    writeFileSync(join(folder, name), changed);
  }
}

const kept: readonly { readonly name: string; readonly at: string; readonly env?: (dir: Place) => Env }[] = [
  {
    name: "runs code in quire by what Bun keeps of compiled files, in a home folder that commands can write",
    at: "../.bun/install/cache/@t@",
  },
  {
    name: "runs code in quire by what Bun keeps of compiled files, where XDG_CACHE_HOME leads to the workspace",
    at: "bun/@t@",
    env: ({ cwd }) => ({ XDG_CACHE_HOME: cwd }),
  },
];
for (const { name, at, env } of kept)
  attack(name, async (guarded) => {
    await using dir = await place();
    await answers(dir, guarded, env?.(dir));
    // What is compiled already cannot say `require`.
    poison(join(dir.cwd, at), marks(dir).replace("require", "process.getBuiltinModule"));
    await answers(dir, guarded, env?.(dir));
    return ran(dir);
  });

const builder = join(import.meta.dirname, "..", "..", "src", "bundle", "build.ts");

attack("finds the bundle of the next start where commands write, while it is built", async (guarded) => {
  await using dir = await place();
  plant(dir, { "x.ts": "export {};" });
  const found: string[] = [];
  const watcher = watch(dir.cwd, (_, name) => void found.push(name ?? ""));
  watcher.unref();
  const script = `await Bun.build({ entrypoints: ["./x.ts"], compile: { outfile: "${dir.home}/x" } })`;
  const env = { TMPDIR: dir.cwd };
  const program = guarded ? [builder, join(dir.cwd, "..")] : ["-e", script];
  const child = Bun.spawn([process.execPath, ...program], { cwd: dir.cwd, env, stdout: "pipe" });
  const outcome = await new Response(child.stdout).text();
  assert.equal(await child.exited, 0);
  if (guarded) assert.equal(outcome.trim(), "built");
  // It is told of in order: what came before this was seen.
  writeFileSync(join(dir.cwd, "last"), "");
  await eventually(() => found.includes("last"));
  watcher.close();
  return found.some((name) => name.endsWith(".bun-build"));
});

/** A program of the work that leaves its mark, and the PATH that `npx` gives to quire there. */
function program({ cwd, env }: Place, name: string): string {
  const folder = join(cwd, "node_modules", ".bin");
  plant({ cwd }, { [`node_modules/.bin/${name}`]: `#!/bin/sh\ntouch '${join(cwd, "ran")}'\n` });
  return `${folder}:${env.PATH}`;
}

for (const name of ["xdg-open", "wslview"])
  attack(`is handed the address that signs a browser in as a ${name} of the work`, async (guarded) => {
    await using dir = await place();
    const path = program(dir, name);
    // The user's own, which comes later.
    const [own, opened] = [join(dir.home, "bin"), join(dir.home, "opened")];
    plant({ ...dir, cwd: own }, { "xdg-open": `#!/bin/sh\ntouch '${opened}'\n` });
    const PATH = path.replace(":", `:${own}:`);
    if (!guarded) await Bun.spawn([Bun.which(name, { PATH }) ?? ""]).exited;
    else {
      openBrowser("http://127.0.0.1:1/#token=secret", { PATH, DISPLAY: ":0" });
      await eventually(() => existsSync(opened) || ran(dir));
    }
    return ran(dir);
  });

const addresses = [
  { name: "has a file opened in place of a page to sign in on", address: "file:///usr/share/applications/x.desktop" },
  { name: "has an editor opened in place of a page to sign in on", address: "vscode://file/x" },
  { name: "has an option given to what opens a page to sign in on", address: "--version" },
  { name: "has a program named to what opens a page to sign in on", address: "/usr/bin/xcalc" },
];
for (const { name, address } of addresses)
  attack(name, async (guarded) => {
    await using dir = await place();
    const [own, opened] = [join(dir.home, "bin"), join(dir.home, "opened")];
    plant({ ...dir, cwd: own }, { "xdg-open": `#!/bin/sh\necho "$1" >> '${opened}'\n` });
    const env = { PATH: `${own}:${dir.env.PATH}`, DISPLAY: ":0" };
    if (!guarded) await Bun.spawn([join(own, "xdg-open"), address]).exited;
    else {
      openBrowser(address, env);
      openBrowser("https://example.org/", env);
      await eventually(() => existsSync(opened) && readFileSync(opened, "utf8").includes("example.org"));
    }
    return readFileSync(opened, "utf8").includes(address);
  });

attack("runs a git of the work by having quire look for what is missing", async (guarded) => {
  await using dir = await place();
  const PATH = program(dir, "git");
  if (guarded)
    await Bun.spawn([launcher, "doctor"], { cwd: dir.cwd, env: { ...dir.env, PATH }, stdout: "ignore" }).exited;
  else await Bun.spawn([Bun.which("git", { PATH }) ?? "", "--version"]).exited;
  return ran(dir);
});

test("quire keeps compiled files where no command can write, once that is there", slow, async () => {
  await using dir = await place();
  mkdirSync(join(dir.cwd, "..", ".quire"), { mode: 0o700 });
  await answers(dir, true);
  assert.ok(readdirSync(join(dir.cwd, "..", ".quire", "compiled")).length > 0);
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
