/** Files that an app-server elsewhere reads and writes here, and what a sandbox keeps of both. */
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { execStage, sandboxOf, url, workspaceSandbox } from "./support/exec-client.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const missing = [-32004, "No such file or directory (os error 2)"];

test("files are written, read, described, listed, copied and removed", async () => {
  await using stage = await execStage();
  const client = await stage.client();
  const at = (name: string) => url(join(stage.dir.path, name));
  await client.request("fs/createDirectory", { path: at("a/b") });
  await client.request("fs/writeFile", { path: at("a/f.txt"), dataBase64: base64("text") });
  symlinkSync("f.txt", join(stage.dir.path, "a", "link"));
  assert.deepEqual(await client.request("fs/readFile", { path: at("a/link") }), { dataBase64: base64("text") });
  const { size, isFile, isSymlink } = await client.request("fs/getMetadata", { path: at("a/link") });
  assert.deepEqual([size, isFile, isSymlink], [4, true, true]);
  assert.deepEqual(await client.request("fs/canonicalize", { path: at("a/link") }), { path: at("a/f.txt") });
  const { entries } = await client.request("fs/readDirectory", { path: at("a") });
  assert.equal((entries as unknown[]).length, 3);
  const limits = { maxDepth: 5, maxDirectories: 10, maxEntries: 10 };
  assert.deepEqual(await client.request("fs/walk", { path: at("a"), options: limits }), {
    entries: [
      { path: at("a/b"), kind: "directory" },
      { path: at("a/f.txt"), kind: "file" },
    ],
    errors: [],
    truncated: false,
  });
  const few = await client.request("fs/walk", { path: at("a"), options: { ...limits, maxEntries: 1 } });
  assert.equal(few.truncated, true);
  await client.request("fs/copy", { sourcePath: at("a"), destinationPath: at("c"), recursive: true });
  await client.request("fs/remove", { path: at("a") });
  assert.deepEqual(await client.refusal("fs/readFile", { path: at("a/f.txt") }), missing);
  assert.equal(readFileSync(join(stage.dir.path, "c", "link"), "utf8"), "text");
});

test("a folder that only keeps a place for running commands is no repository", async () => {
  await using stage = await execStage();
  const client = await stage.client();
  const folder = join(stage.dir.path, ".git");
  mkdirSync(folder);
  assert.equal((await client.request("fs/getMetadata", { path: url(folder) })).isDirectory, true);
  chmodSync(folder, 0o1755);
  assert.deepEqual(await client.refusal("fs/getMetadata", { path: url(folder) }), missing);
  assert.deepEqual(await client.request("fs/readDirectory", { path: url(stage.dir.path) }), { entries: [] });
});

test("a file is read in blocks until it is closed", async () => {
  await using stage = await execStage();
  const client = await stage.client();
  writeFileSync(join(stage.dir.path, "f"), "0123456789");
  const path = url(join(stage.dir.path, "f"));
  await client.request("fs/open", { handleId: "h", path });
  const read = { handleId: "h", offset: 2, len: 3 };
  assert.deepEqual(await client.request("fs/readBlock", read), { chunk: base64("234"), eof: false });
  assert.deepEqual(await client.request("fs/readBlock", { ...read, offset: 8 }), { chunk: base64("89"), eof: true });
  assert.match((await client.refusal("fs/readBlock", { ...read, len: 1 << 30 }))[1], /between 1 and 1048576/);
  assert.match((await client.refusal("fs/open", { handleId: "h", path }))[1], /already exists/);
  assert.match((await client.refusal("fs/open", { handleId: "d", path: url("/") }))[1], /is not a file/);
  await client.request("fs/close", { handleId: "h" });
  assert.deepEqual(await client.refusal("fs/readBlock", read), [-32004, "unknown file handle `h`"]);
});

test("paths of other machines, in disguise or of devices are refused", async () => {
  await using stage = await execStage();
  const client = await stage.client();
  for (const [path, expected] of [
    ["/etc/hostname", /relative URL without a base/],
    ["http://host/etc/hostname", /unsupported path URI scheme `http`/],
    ["file://host/etc/hostname", /is invalid on/],
    ["file:///tmp/a%00b", /is invalid on/],
    ["file:///tmp%2Fa", /is invalid on/],
    ["file:///dev/zero", /is not a file/],
    ["file:///proc/self/fd", /is not a file/],
  ] as const) {
    assert.match((await client.refusal("fs/readFile", { path }))[1], expected, path);
  }
});

test("changes within a sandbox stay in the workspace, by whatever links they are asked for", async () => {
  await using stage = await execStage();
  const client = await stage.client();
  const [work, outside] = ["work", "outside"].map((name) => join(stage.dir.path, name)) as [string, string];
  for (const folder of [join(work, ".aws"), outside]) mkdirSync(folder, { recursive: true });
  symlinkSync(outside, join(work, "way-out"));
  const sandbox = workspaceSandbox(work);
  const dataBase64 = base64("text");
  const write = (path: string) => ({ path: url(path), dataBase64, sandbox });
  await client.request("fs/writeFile", write(join(work, "f.txt")));
  await client.request("fs/createDirectory", { path: url(join(work, "a", "b")), sandbox });
  const [from, to] = [join(work, "f.txt"), join(work, "a", "g.txt")].map(url);
  await client.request("fs/copy", { sourcePath: from, destinationPath: to, recursive: false, sandbox });
  await client.request("fs/remove", { path: from, sandbox });
  assert.deepEqual([existsSync(join(work, "f.txt")), readFileSync(join(work, "a", "g.txt"), "utf8")], [false, "text"]);
  const readOnly = [-32603, "Read-only file system (os error 30)"];
  for (const place of [outside, join(work, "way-out"), join(work, "..", "outside"), join(work, ".aws")]) {
    assert.deepEqual(await client.refusal("fs/writeFile", write(join(place, "f"))), readOnly, place);
  }
  const taken = { sourcePath: to, destinationPath: url(join(outside, "f")), recursive: false, sandbox };
  assert.equal((await client.refusal("fs/copy", taken))[0], -32603);
  assert.deepEqual(await client.refusal("fs/remove", { path: url(outside), sandbox }), readOnly);
  assert.deepEqual([existsSync(outside), existsSync(join(outside, "f"))], [true, false]);
  assert.deepEqual(await client.refusal("fs/writeFile", write(join(work, "none", "f"))), missing);
});

test("a command within a sandbox writes its workspace, and nothing else", async () => {
  await using stage = await execStage();
  const client = await stage.client();
  const work = join(stage.dir.path, "work");
  mkdirSync(join(work, ".aws"), { recursive: true });
  const started = await client.start("a", ["sh", "-c", "echo 1 > in; echo 2 > .aws/c || echo 3 > ../out"], {
    cwd: url(work),
    sandbox: workspaceSandbox(work),
  });
  assert.notEqual(started.sandboxType, "none");
  assert.notEqual(await client.ended("a"), 0);
  assert.equal(client.told.find(({ method }) => method === "process/exited")?.params.sandboxDenied, true);
  const exists = ["work/in", "work/.aws/c", "out"].map((name) => existsSync(join(stage.dir.path, name)));
  assert.deepEqual(exists, [true, false, false]);
});

test("a sandbox that cannot be kept in full is refused, and nothing is done", async () => {
  await using stage = await execStage();
  const client = await stage.client();
  const work = stage.dir.path;
  const at = (place: object, access: string) => ({ path: place, access });
  const special = (kind: string, subpath?: string) => ({ type: "special", value: { kind, subpath } });
  const all = at(special("root"), "read");
  for (const [entries, expected] of [
    [[], /not every file can be read/],
    [[all, at(special("root"), "write")], /the whole machine is writable/],
    [[all, at({ type: "path", path: url(work) }, "none")], /is closed to reading/],
    [[all, at({ type: "glob_pattern", pattern: "**/.env" }, "none")], /by a pattern/],
    [[all, at(special("tomorrow"), "write")], /is not known here/],
    [[all, at(special("project_roots", "../.."), "write")], /invalid subpath/],
    [[all, at({ type: "path", path: "/" }, "write")], /relative URL without a base/],
  ] as const) {
    const sandbox = sandboxOf(work, entries);
    const start = { processId: "a", argv: ["touch", join(work, "f")], cwd: url(work), env: {}, tty: false, sandbox };
    assert.match((await client.refusal("process/start", start))[1], expected);
    const write = { path: url(join(work, "f")), dataBase64: "", sandbox };
    assert.match((await client.refusal("fs/writeFile", write))[1], expected);
  }
  const closed = { permissions: { type: "managed", file_system: { type: "unrestricted" }, network: "restricted" } };
  const write = { path: url(join(work, "f")), dataBase64: "", sandbox: closed };
  assert.match((await client.refusal("fs/writeFile", write))[1], /the network is closed/);
  assert.equal(existsSync(join(work, "f")), false);
});

test("without bubblewrap, what was to be confined is not done", { skip: process.platform !== "linux" }, async () => {
  await using stage = await execStage({ env: { ...process.env, PATH: "/none" } });
  const client = await stage.client();
  const work = join(stage.dir.path, "work");
  mkdirSync(work);
  const sandbox = workspaceSandbox(work);
  const write = { path: url(join(work, "f")), dataBase64: "", sandbox };
  assert.match((await client.refusal("fs/writeFile", write))[1], /bubblewrap not found/);
  const start = { processId: "a", argv: ["touch", "f"], cwd: url(work), env: {}, tty: false, sandbox };
  assert.match((await client.refusal("process/start", start))[1], /bubblewrap not found/);
  assert.equal(existsSync(join(work, "f")), false);
});
