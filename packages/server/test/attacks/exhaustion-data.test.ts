/** Attacks: data without measure. */
import assert from "node:assert/strict";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { RpcError } from "@quire/jsonrpc";
import { tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { readFileBase64 } from "../../src/files/read-base64.ts";
import { parseJson } from "../../src/lib/bounded-json.ts";
import { readBounded } from "../../src/lib/read-bounded.ts";
import { canonicalJson } from "../../src/lib/table.ts";
import { boundedFetch } from "../../src/mcp/bounded-fetch.ts";
import { DeltaMerger } from "../../src/model/ai-sdk/merge-deltas.ts";
import { boundedBody } from "../../src/model/attempt/answer-bound.ts";
import { SseParser } from "../../src/model/responses/sse-parser.ts";
import { unpackArchive } from "../../src/plugins/unpack-archive.ts";
import { testServer } from "../support/test-server.ts";

const lists = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

/** Whether something takes the stack. */
function takesStack(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch (error) {
    return error instanceof RangeError;
  }
}

attack("has the arguments of a tool, nested by the thousand, take the stack", (guarded) => {
  const text = lists(200_000);
  return takesStack(() => JSON.stringify(guarded ? parseJson(text) : JSON.parse(text)));
});

attack("has a setting, nested by the thousand, take the stack", async (guarded) => {
  const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);
  if (!guarded) return takesStack(() => canonicalJson(nested(100_000)));
  const value = nested(10_000);
  await using server = await testServer({ model: "offline" });
  const client = await server.connect();
  const params = { keyPath: "x", mergeStrategy: "replace", value };
  return await client.request("config/value/write", params as never).then(
    () => false,
    (error: unknown) => !RpcError.is(error) || !error.message.includes("recursion limit exceeded"),
  );
});

attack("has a file without end fill the memory", async (guarded) => {
  const path = "/proc/self/pagemap";
  const most = 1 << 20;
  if (guarded) {
    return readFileBase64(path, most).then(
      () => true,
      () => false,
    );
  }
  const file = openSync(path, "r");
  try {
    let read = 0;
    for (let more = 1; more > 0 && read <= most; read += more) more = readSync(file, Buffer.alloc(most));
    return read > most;
  } finally {
    closeSync(file);
  }
});

attack("has a packed answer of a service fill the memory", async (guarded) => {
  const packed = gzipSync(Buffer.alloc(4 << 20));
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response(packed, { headers: { "content-encoding": "gzip" } }),
  });
  const response = await fetch(server.url);
  try {
    return (guarded ? await readBounded(response) : await response.text()).length > 1 << 20;
  } catch {
    return false;
  }
});

attack("has a packed answer of an MCP server fill the memory", async (guarded) => {
  const packed = gzipSync(Buffer.alloc(20 << 20));
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response(packed, { headers: { "content-encoding": "gzip", "content-type": "application/json" } }),
  });
  try {
    const response = await (guarded ? boundedFetch : fetch)(server.url);
    return (await response.text()).length > 16 << 20;
  } catch {
    return false;
  }
});

attack("has a line of a model's stream, without end, fill the memory", (guarded) => {
  const part = Buffer.alloc(16 << 20, "x");
  const held: Buffer[] = [];
  const parser = new SseParser(() => undefined);
  try {
    for (let count = 0; count < 5; count++) {
      if (guarded) parser.push(part);
      else held.push(part);
    }
    return true;
  } catch {
    return false;
  }
});

attack("has an event of another wire, without end and with other line ends, fill the memory", (guarded) => {
  const part = `data: ${"x".repeat(1000)}\r`.repeat(16 << 10);
  const held: string[] = [];
  const merger = new DeltaMerger();
  try {
    for (let count = 0; count < 5; count++) {
      if (guarded) merger.push(part);
      else held.push(part);
    }
    return true;
  } catch {
    return false;
  }
});

attack("has an answer without end fill the memory, event by event", async (guarded) => {
  const event = Buffer.from(`data: {"x":"${"y".repeat(60_000)}"}\n\n`);
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(event),
  });
  const most = 8 << 20;
  let bytes = 0;
  try {
    for await (const piece of guarded ? boundedBody(endless, most) : endless) {
      bytes += piece.length;
      if (bytes > 2 * most) return true;
    }
  } catch {
    // Broken off.
  }
  return false;
});

interface Entry {
  readonly name: string;
  readonly text?: string;
  /** What it leads to, for a link. */
  readonly link?: string;
}

/** A tar file, packed. */
function archiveOf(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ name, text = "", link }) => {
    const head = Buffer.alloc(512);
    head.write(name, 0);
    head.write("0000644\0", 100);
    head.write(text.length.toString(8).padStart(11, "0"), 124);
    head.write("00000000000\0", 136);
    head.write("        ", 148);
    head.write(link === undefined ? "0" : "2", 156);
    head.write(link ?? "", 157);
    head.write("ustar\x0000", 257);
    const sum = head.reduce((all, byte) => all + byte, 0);
    head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    const content = Buffer.alloc(Math.ceil(text.length / 512) * 512);
    content.write(text);
    return [head, content];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const small = { packedBytes: 1 << 20, unpackedBytes: 1 << 20, entries: 100 };

/** Unpacks an archive as for a plugin, or as tar does that is told to believe it. Gives what came into the folder. */
async function unpack(folder: string, entries: readonly Entry[], guarded: boolean): Promise<string[]> {
  const archive = join(folder, "archive.tgz");
  const into = join(folder, "into");
  mkdirSync(into);
  writeFileSync(archive, archiveOf(entries));
  if (guarded) await unpackArchive(archive, into, small).catch(() => undefined);
  else Bun.spawnSync(["tar", "-xPzf", archive, "-C", into]);
  return [...new Bun.Glob("**/*").scanSync({ cwd: into, dot: true })];
}

attack("writes beside a plugin's folder by a name in its package", async (guarded) => {
  await using folder = await tempDir("quire-archive-");
  await unpack(folder.path, [{ name: "../outside", text: "x" }], guarded);
  return existsSync(join(folder.path, "outside"));
});

attack("writes anywhere by an absolute name in a plugin's package", async (guarded) => {
  await using folder = await tempDir("quire-archive-");
  const outside = join(folder.path, "outside");
  await unpack(folder.path, [{ name: outside, text: "x" }], guarded);
  return existsSync(outside);
});

attack("writes anywhere through a link in a plugin's package", async (guarded) => {
  await using folder = await tempDir("quire-archive-");
  await using outside = await tempDir("quire-outside-");
  const entries = [
    { name: "package/link", link: outside.path },
    { name: "package/link/file", text: "x" },
  ];
  await unpack(folder.path, entries, guarded);
  return existsSync(join(outside.path, "file"));
});

attack("fills the disk by a plugin's package of few bytes", async (guarded) => {
  await using folder = await tempDir("quire-archive-");
  const found = await unpack(folder.path, [{ name: "package/zeros", text: "0".repeat(2 << 20) }], guarded);
  return found.length > 0;
});

attack("fills the disk by a plugin's package of very many files", async (guarded) => {
  await using folder = await tempDir("quire-archive-");
  const entries = Array.from({ length: 200 }, (_, index) => ({ name: `package/${index}`, text: "x" }));
  return (await unpack(folder.path, entries, guarded)).length > small.entries;
});

attack("takes over what unpacks a plugin's package, and reads a key", async (guarded) => {
  await using folder = await tempDir("quire-archive-");
  await using elsewhere = await tempDir("quire-elsewhere-");
  const key = join(elsewhere.path, "key");
  writeFileSync(key, "secret");
  // Stands for a decoder that runs what a stranger's archive has it run.
  const before = Bun.Archive.prototype.extract;
  Bun.Archive.prototype.extract = async () => {
    writeFileSync(join(folder.path, "stolen"), readFileSync(key));
    return 0;
  };
  try {
    if (guarded) await unpack(folder.path, [{ name: "package/a", text: "x" }], true);
    else await new Bun.Archive(new Uint8Array()).extract(folder.path);
  } finally {
    Bun.Archive.prototype.extract = before;
  }
  return existsSync(join(folder.path, "stolen"));
});

test("an ordinary package is unpacked", async () => {
  await using folder = await tempDir("quire-archive-");
  const entries = Array.from({ length: 100 }, (_, index) => ({ name: `package/${index}`, text: "x".repeat(700) }));
  assert.equal((await unpack(folder.path, entries, true)).length, 100);
});
