import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { test } from "node:test";
import { layers } from "../scripts/lib/layers.ts";
import { filesBelow, type Manifest, packages, root } from "../scripts/lib/workspace.ts";
import { featureViolations } from "./lib/feature-users.ts";
import { importGraph, type Sources } from "./lib/import-graph.ts";
import { layeringViolations } from "./lib/layering.ts";
import { layerViolations, overfull } from "./lib/layers.ts";

test("no package imports against the direction of dependencies", () => {
  const all = packages();
  const sources = all.flatMap(({ dir }) =>
    ["ts", "tsx"].flatMap((ending) => filesBelow(join(dir, "src"), `.${ending}`)),
  );
  assert.ok(sources.length > 20, "the sources were not found");
  const files = new Map(sources.map((file) => [relative(root, file), readFileSync(file, "utf8")]));
  const manifests = new Map(all.map(({ short, manifest }) => [short, manifest]));
  assert.deepEqual(layeringViolations({ files, manifests }), []);
});

const manifest: Manifest = {
  name: "@quire/client",
  dependencies: { "@quire/jsonrpc": "1", "@quire/protocol": "1", "@quire/server": "1", "@quire/testkit": "1", ws: "1" },
  imports: { "#host": "./src/host.ts" },
};
const violations = (text: string, path = "packages/client/src/a/b.ts") =>
  layeringViolations({ files: new Map([[path, text]]), manifests: new Map([["client", manifest]]) });

test("what the layering allows is let through", () => {
  const text = `
    import { Connection } from "@quire/jsonrpc";
    import type { Turn } from "@quire/protocol";
    import { readFile } from "node:fs/promises";
    import host from "#host";
    import { up } from "../up.ts";
    export * from "./c.ts";
    const ws = await import("ws");
    // import "@quire/server";
    const words = 'import x from "@quire/server"';`;
  assert.deepEqual(violations(text), []);
});

const planted: Record<string, RegExp> = {
  'import { x } from "@quire/server";': /client must not depend on server/,
  'import type { X } from "@quire/server";': /client must not depend on server/,
  'export type X = import("@quire/server/sub").X;': /client must not depend on server/,
  'export { x } from "@quire/testkit";': /client must not depend on testkit/,
  'export * from "@quire/client";': /does not import itself/,
  'await import("@quire/gateway");': /client must not depend on gateway/,
  'import "../../../jsonrpc/src/index.ts";': /leaves packages\/client\/src/,
  'import "../../test/helper.ts";': /leaves packages\/client\/src/,
  'import { z } from "zod";': /does not list it as a dependency/,
  'import { readFile } from "fs/promises";': /write "node:fs"/,
  'import { Database } from "bun:sqlite";': /client also runs on Node/,
  'import x from "#other";': /has no such import/,
  'const x = require("left-pad");': /does not list it/,
};

for (const [text, expected] of Object.entries(planted)) {
  test(`a planted violation is reported: ${text}`, () => {
    const found = violations(text);
    assert.equal(found.length, 1);
    assert.match(found[0] ?? "", expected);
  });
}

test("a package without a place in the layering is reported", () => {
  assert.match(violations("", "packages/other/src/index.ts")[0] ?? "", /no place in the layering/);
});

function sourcesOf(short: string): Sources {
  const src = join(root, "packages", short, "src");
  const sources = ["ts", "tsx"].flatMap((ending) => filesBelow(src, `.${ending}`));
  const files = new Map(sources.map((file) => [relative(src, file), readFileSync(file, "utf8")]));
  const found = packages().find((each) => each.short === short);
  assert.ok(found && files.size > 0, "the sources were not found");
  return { files, manifest: found.manifest };
}

for (const [short, folders] of Object.entries(layers)) {
  test(`the folders of ${short} import downwards only, and nothing imports in a circle`, () => {
    assert.deepEqual(layerViolations(sourcesOf(short), Object.keys(folders)), []);
  });
}

test("no folder beside the sources has more files than the sources may have in one", () => {
  const folders = [
    "bench",
    "conformance",
    "examples",
    "scripts",
    "test",
    ...packages().map(({ dir }) => join(dir, "test")),
  ];
  const files = folders.flatMap((folder) => filesBelow(resolve(root, folder), ".ts"));
  assert.ok(files.length > 700, "the files were not found");
  assert.deepEqual(overfull(files.map((file) => relative(root, file))), []);
  assert.deepEqual(overfull(Array.from({ length: 31 }, (_, n) => `test/f${n}.ts`)), [
    "test has 31 files; split it, 30 are enough",
  ]);
});

test("every package has layers", () => {
  assert.deepEqual(
    Object.keys(layers).sort(),
    packages()
      .map(({ short }) => short)
      .sort(),
  );
});

const inLayers = (files: Readonly<Record<string, string>>) =>
  layerViolations({ files: new Map(Object.entries(files)), manifest }, ["low", "high"]);

test("imports down the layers and within a folder are let through", () => {
  const files = {
    "index.ts": 'export * from "./high/a.ts";',
    "high/a.ts": 'import type { B } from "./b.ts"; import { c } from "../low/c.ts";',
    "high/b.ts": "",
    "low/c.ts": 'import { z } from "@quire/jsonrpc";',
  };
  assert.deepEqual(inLayers(files), []);
});

const plantedFiles: Readonly<Record<string, { files: Readonly<Record<string, string>>; expected: RegExp }>> = {
  "two files that import each other, one of them a type": {
    files: { "low/a.ts": 'import { b } from "./b.ts";', "low/b.ts": 'import type { A } from "./a.ts";' },
    expected: /files import each other: low\/a.ts → low\/b.ts → low\/a.ts/,
  },
  "a circle through a dynamic import": {
    files: { "low/a.ts": 'await import("./b.ts");', "low/b.ts": 'export * from "./a.ts";' },
    expected: /files import each other/,
  },
  "folders within a folder that import each other": {
    files: {
      "low/x/a.ts": 'import { b } from "../y/b.ts";',
      "low/y/b.ts": "",
      "low/y/c.ts": 'import { d } from "../x/d.ts";',
      "low/x/d.ts": "",
    },
    expected: /folders import each other in low: x → y → x/,
  },
  "an import of a type from a higher layer": {
    files: { "low/a.ts": 'export type B = import("../high/b.ts").B;', "high/b.ts": "" },
    expected: /low\/a.ts imports high\/b.ts, which lies above it/,
  },
  "an import of an entry point": {
    files: { "high/a.ts": 'import { x } from "../index.ts";', "index.ts": "" },
    expected: /high\/a.ts imports index.ts, which lies above it/,
  },
  "a folder without a place": {
    files: { "new/a.ts": "" },
    expected: /the folder new has no place/,
  },
  "a folder whose name says nothing": {
    files: { "low/utils/a.ts": "" },
    expected: /low\/utils is named for nothing in particular/,
  },
  "a folder with too many files": {
    files: Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`low/f${n}.ts`, ""])),
    expected: /low has 31 files/,
  },
};

for (const [name, { files, expected }] of Object.entries(plantedFiles)) {
  test(`a planted violation is reported: ${name}`, () => {
    const [first = "", ...more] = inLayers(files);
    assert.match(first, expected);
    assert.deepEqual(more, []);
  });
}

test("a feature of the server can be taken out: only the list of features and its own methods import it", () => {
  assert.deepEqual(featureViolations(importGraph(sourcesOf("server"))), []);
});

test("a planted import of a feature is reported", () => {
  const imports = new Map([
    ["features/index.ts", new Set(["features/clock/index.ts"])],
    ["processors/thread/goals.ts", new Set(["features/goals/goal-work.ts"])],
    ["features/agents/index.ts", new Set(["features/agents/agents.ts", "features/clock/index.ts"])],
    ["processors/turn.ts", new Set(["features/goals/goal-work.ts"])],
  ]);
  assert.deepEqual(featureViolations(imports), [
    "features/agents/index.ts imports features/clock/index.ts: only features/index.ts may know the feature",
    "processors/turn.ts imports features/goals/goal-work.ts: only features/index.ts may know the feature",
  ]);
});
