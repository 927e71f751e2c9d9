import assert from "node:assert/strict";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { RpcError } from "@quire/jsonrpc";
import { eventually } from "@quire/testkit";
import { testServer } from "../support/test-server.ts";

async function talking() {
  const server = await testServer({ model: "offline" });
  const client = server.client;
  const folder = join(server.home, "files");
  mkdirSync(folder);
  const at = (...parts: string[]) => join(folder, ...parts);
  const changed = (watchId: string, path: string) =>
    client.waitFor("fs/changed", (params) => params.watchId === watchId && params.changedPaths.includes(path));
  return { server, client, at, changed };
}

const refused = (code: number, message: RegExp) => (error: unknown) =>
  RpcError.is(error) && error.code === code && message.test(error.message);

test("any bytes are written and read as they are, of files small and large", async () => {
  const { server, client, at } = await talking();
  await using _ = server;
  for (const size of [0, 1, 2, 3, 1000, 65_537, 786_433, 3_000_000, 4_000_001]) {
    const bytes = Buffer.from(Uint8Array.from({ length: size }, (_, index) => (index * 31) % 256));
    await client.request("fs/writeFile", { path: at("f"), dataBase64: bytes.toString("base64") });
    assert.ok(readFileSync(at("f")).equals(bytes), `${size} written`);
    const { dataBase64 } = await client.request("fs/readFile", { path: at("f") });
    assert.ok(dataBase64 === bytes.toString("base64"), `${size} read`);
  }
});

test("a large text that is wrong somewhere leaves the file as it was", async () => {
  const { server, client, at } = await talking();
  await using _ = server;
  writeFileSync(at("f"), "before");
  const good = "AAAA".repeat(2_000_000);
  for (const [dataBase64, message] of [
    [`${good}AA%A`, /Invalid symbol 37, offset 8000002/],
    [`${good.slice(0, -4)}AA==${good}`, /Invalid symbol 61, offset 7999998/],
    [`${good}A`, /Invalid padding/],
    [`${good} `, /Invalid symbol 32/],
  ] as const) {
    await assert.rejects(client.request("fs/writeFile", { path: at("f"), dataBase64 }), refused(-32600, message));
    assert.equal(readFileSync(at("f"), "utf8"), "before");
  }
});

test("what cannot be done is told in the words of the system", async () => {
  const { server, client, at } = await talking();
  await using _ = server;
  writeFileSync(at("f"), "1");
  const wrong: [string, object, number, RegExp][] = [
    ["readFile", { path: "relative" }, -32600, /AbsolutePathBuf/],
    ["readFile", { path: at("none") }, -32603, /^No such file or directory \(os error 2\)$/],
    ["readFile", { path: at() }, -32600, /is not a file/],
    ["readFile", { path: at("f", "x") }, -32603, /^Not a directory \(os error 20\)$/],
    ["writeFile", { path: at("g"), dataBase64: "aG%" }, -32600, /Invalid symbol 37, offset 2/],
    ["writeFile", { path: at("g"), dataBase64: "aGk" }, -32600, /Invalid padding/],
    ["writeFile", { path: at("g"), dataBase64: "aG k" }, -32600, /Invalid symbol 32/],
    ["createDirectory", { path: at("f") }, -32603, /^File exists \(os error 17\)$/],
    ["copy", { sourcePath: at(), destinationPath: at("x"), recursive: true }, -32600, /descendants/],
    ["copy", { sourcePath: at(), destinationPath: at("..", "x") }, -32600, /requires recursive: true/],
    ["remove", { path: at("none"), force: false }, -32603, /No such file/],
    ["remove", { path: at(), recursive: false }, -32603, /Directory not empty/],
  ];
  for (const [method, params, code, message] of wrong) {
    await assert.rejects(client.request(`fs/${method}`, params), refused(code, message), method);
  }
  assert.ok(!existsSync(at("g")));
});

test("a folder is copied with its links, and a file onto itself keeps its content", async () => {
  const { server, client, at } = await talking();
  await using _ = server;
  mkdirSync(at("a", "b"), { recursive: true });
  writeFileSync(at("a", "b", "f"), "1");
  symlinkSync("f", at("a", "b", "link"));
  symlinkSync("nowhere", at("a", "dangling"));
  await client.request("fs/copy", { sourcePath: at("a"), destinationPath: at("n", "c"), recursive: true });
  assert.equal(readFileSync(at("n", "c", "b", "link"), "utf8"), "1");
  await client.request("fs/copy", { sourcePath: at("a", "b", "f"), destinationPath: at("a", "b", "f") });
  assert.equal(readFileSync(at("a", "b", "f"), "utf8"), "1");
  const { entries } = await client.request("fs/readDirectory", { path: at("a", "b") });
  assert.deepEqual(entries.map(({ fileName }: { fileName: string }) => fileName).sort(), ["f", "link"]);
  const link = await client.request("fs/getMetadata", { path: at("a", "b", "link") });
  assert.deepEqual([link.isFile, link.isSymlink], [true, true]);
});

test("a watched file is told of when it is written, replaced and removed", async () => {
  const { server, client, at, changed } = await talking();
  await using _ = server;
  writeFileSync(at("f"), "1");
  const { watchId, path } = await client.request("fs/watch", { path: at("f") });
  assert.equal(path, at("f"));
  const changes = [
    () => appendFileSync(at("f"), "2"),
    () => {
      writeFileSync(at("f.new"), "3");
      renameSync(at("f.new"), at("f"));
    },
    () => appendFileSync(at("f"), "4"),
    () => rmSync(at("f")),
    () => writeFileSync(at("f"), "5"),
  ];
  for (const change of changes) {
    client.received.length = 0;
    change();
    const { changedPaths } = await changed(watchId, at("f"));
    assert.deepEqual(changedPaths, [at("f")]);
  }
});

test("a watched folder may vanish and come back", async () => {
  const { server, client, at, changed } = await talking();
  await using _ = server;
  mkdirSync(at("a"));
  assert.deepEqual(await client.request("fs/watch", { path: at("a"), watchId: "w" }), { path: at("a") });
  await assert.rejects(
    client.request("fs/watch", { path: at("a"), watchId: "w" }),
    refused(-32600, /already exists: w/),
  );
  writeFileSync(at("a", "one"), "1");
  await changed("w", at("a", "one"));
  rmSync(at("a"), { recursive: true });
  await changed("w", at("a"));
  client.received.length = 0;
  mkdirSync(at("a"));
  await changed("w", at("a"));
  // Again and again: what was told last may still have been the end of the old folder, and the new one not watched yet.
  await eventually(() => {
    appendFileSync(at("a", "two"), "1");
    return client.received.some(({ params }) => params.changedPaths.includes(at("a", "two")));
  });
});

test("something deep that is not there yet can be watched, and a watch that was ended is quiet", async () => {
  const { server, client, at, changed } = await talking();
  await using _ = server;
  for (const watchId of ["ended", "kept"]) await client.request("fs/watch", { path: at("x", "y", "z"), watchId });
  await client.request("fs/unwatch", { watchId: "ended" });
  mkdirSync(at("x", "y"), { recursive: true });
  writeFileSync(at("x", "y", "z"), "1");
  await changed("kept", at("x", "y", "z"));
  assert.ok(client.all("fs/changed").every(({ watchId }) => watchId === "kept"));
});
