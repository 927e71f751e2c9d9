import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { testServer } from "../support/test-server.ts";

async function project(files: Readonly<Record<string, string>>) {
  const server = await testServer({ model: "offline" });
  const client = server.client;
  const root = join(server.home, "project");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const find = async (query: string): Promise<[string, number, number[]][]> => {
    const { files: found } = await client.request("fuzzyFileSearch", { query, roots: [root] });
    return found.map((file: { path: string; score: number; indices: number[] }) => [
      file.path,
      file.score,
      file.indices,
    ]);
  };
  return { server, client, root, find };
}

const names = (found: readonly (readonly [string, ...unknown[]])[]) => found.map(([path]) => path);

/** Added to the score of a match within the name of a file. */
const inName = 1 << 16;

test("scores and places are those of the fuzzy finder that clients know", async () => {
  const { server, find } = await project({
    "fooBar.txt": "",
    "foo2bar.txt": "",
    "foo bar.txt": "",
    "foo-bar.txt": "",
    FOOBAR: "",
    foobarbaz: "",
    xfoobaz: "",
    "x/foo.tar.gz": "",
    "😀/emoji.ts": "",
    "über.txt": "",
  });
  await using _ = server;
  assert.deepEqual(await find("fb"), [
    ["foo bar.txt", inName + 53, [0, 4]],
    ["foo-bar.txt", inName + 53, [0, 4]],
    ["fooBar.txt", inName + 51, [0, 3]],
    ["FOOBAR", inName + 46, [0, 3]],
    ["foobarbaz", inName + 46, [0, 3]],
    ["foo2bar.txt", inName + 45, [0, 4]],
    ["xfoobaz", inName + 28, [1, 4]],
  ]);
  assert.deepEqual(await find("foo."), [
    ["x/foo.tar.gz", inName + 109, [2, 3, 4, 5]],
    ["fooBar.txt", inName + 103, [0, 1, 2, 6]],
    ["foo bar.txt", inName + 102, [0, 1, 2, 7]],
    ["foo-bar.txt", inName + 102, [0, 1, 2, 7]],
    ["foo2bar.txt", inName + 102, [0, 1, 2, 7]],
  ]);
  assert.deepEqual(await find("emoji"), [["😀/emoji.ts", inName + 134, [2, 3, 4, 5, 6]]]);
  assert.deepEqual(await find("foo\\ bar"), [["foo bar.txt", inName + 184, [0, 1, 2, 3, 4, 5, 6]]]);
  assert.deepEqual(names(await find("gz$")), ["x/foo.tar.gz"]);
  assert.deepEqual(names(await find("^foo 'baz")), ["foobarbaz"]);
  assert.deepEqual(names(await find("foo !bar !baz")), ["x/foo.tar.gz"]);
  assert.deepEqual(names(await find("uber")), ["über.txt"]);
  assert.deepEqual(names(await find("ÜBER")), ["über.txt"]);
  const [whole] = await find("foobar");
  assert.deepEqual([whole?.[0], Number(whole?.[1]) > 2 * inName], ["FOOBAR", true]);
  assert.deepEqual(await find(""), []);
});

test("what ignore files name is not found", async () => {
  const { server, root, find } = await project({
    ".gitignore": "node_modules/\n*.log\n!keep.log\n/top.ts\ndeep/**/gone.ts\n",
    ".ignore": "private.ts\n",
    "sub/.gitignore": "drop.ts\n!re.log\n",
    "node_modules/x/one.ts": "",
    "a.log": "",
    "keep.log": "",
    "sub/re.log": "",
    "top.ts": "",
    "sub/top.ts": "",
    "deep/a/b/gone.ts": "",
    "deep/a/b/here.ts": "",
    "private.ts": "",
    "sub/drop.ts": "",
    "drop.ts": "",
    ".git/config.ts": "",
    ".git/info/exclude": "excluded.ts\n",
    "excluded.ts": "",
  });
  await using _ = server;
  symlinkSync("..", join(root, "sub", "loop"));
  assert.deepEqual(names(await find(".ts$")), ["deep/a/b/here.ts", "drop.ts", "sub/top.ts"]);
  assert.deepEqual(names(await find(".log$")), ["keep.log", "sub/re.log"]);
});

test("links are found as what they lead to, and lead in no circle", async () => {
  const { server, root, find } = await project({ "far/deep/needle.ts": "", "near/other.txt": "" });
  await using _ = server;
  symlinkSync("../far/deep", join(root, "near", "link"));
  symlinkSync("../far/deep/needle.ts", join(root, "near", "needle-link.ts"));
  symlinkSync("nowhere", join(root, "near", "needle-lost.ts"));
  symlinkSync("/", join(root, "near", "needle-top"));
  symlinkSync(root, join(root, "near", "needle-loop"));
  assert.deepEqual(names(await find("needle")).sort(), [
    "far/deep/needle.ts",
    "near/link/needle.ts",
    "near/needle-link.ts",
    "near/needle-top",
  ]);
});

test("a folder of hundreds is found to its last file, letters of all kinds among them", async () => {
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`many/f${index}.txt`, ""]));
  const { server, find } = await project({ ...many, "many/été.txt": "", "žluť/kůň.txt": "", "日本/語.txt": "" });
  await using _ = server;
  assert.deepEqual(names(await find("'f599.txt")), ["many/f599.txt"]);
  assert.deepEqual(names(await find("ete.txt$")), ["many/été.txt"]);
  assert.deepEqual(await find("ÉTÉ"), [["many/été.txt", inName + 84, [5, 6, 7]]]);
  assert.deepEqual(names(await find("zlut kun")), ["žluť/kůň.txt"]);
  assert.deepEqual(names(await find("日語")), ["日本/語.txt"]);
});

test("results come as one types, and end with the query that is meant", async () => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`dir${index % 7}/file${index}.txt`, ""]));
  const { server, client, root } = await project({ ...files, "dir0/needle.ts": "" });
  await using _ = server;
  await client.request("fuzzyFileSearch/sessionStart", { sessionId: "s", roots: [root] });
  await Promise.all(
    ["n", "ne", "nee", "need"].map((query) =>
      client.request("fuzzyFileSearch/sessionUpdate", { sessionId: "s", query }),
    ),
  );
  const paths = (params: { files: { path: string }[] }) => params.files.map(({ path }) => path);
  await client.waitFor(
    "fuzzyFileSearch/sessionUpdated",
    (params) => params.query === "need" && paths(params).join() === "dir0/needle.ts",
  );
  await client.waitFor("fuzzyFileSearch/sessionCompleted");
  // Wider again, which what was narrowed down cannot answer.
  await client.request("fuzzyFileSearch/sessionUpdate", { sessionId: "s", query: "file29" });
  await client.waitFor(
    "fuzzyFileSearch/sessionUpdated",
    (params) => params.query === "file29" && paths(params).includes("dir3/file290.txt"),
  );
  await client.request("fuzzyFileSearch/sessionStop", { sessionId: "s" });
  const late = client.request("fuzzyFileSearch/sessionUpdate", { sessionId: "s", query: "x" });
  await assert.rejects(late, /session not found: s/);
});

test("typing on finds what a fresh search finds", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`a${index % 5}/b${index % 11}/Cat${index}_dog.ts`, ""]),
  );
  const { server, client, root, find } = await project(files);
  await using _ = server;
  await client.request("fuzzyFileSearch/sessionStart", { sessionId: "s", roots: [root] });
  // A search begins with the empty query, which ends too.
  await client.waitFor("fuzzyFileSearch/sessionCompleted");
  const word = "b3cat dog";
  for (let length = 1; length <= word.length; length++) {
    const query = word.slice(0, length);
    client.received.length = 0;
    await client.request("fuzzyFileSearch/sessionUpdate", { sessionId: "s", query });
    await client.waitFor("fuzzyFileSearch/sessionCompleted");
    const { files: found } = client.received.findLast(({ params }) => params.query === query)?.params ?? { files: [] };
    assert.deepEqual(names(found.map(({ path }: { path: string }) => [path])), names(await find(query)), query);
  }
});
