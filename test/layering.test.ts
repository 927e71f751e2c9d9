import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { filesBelow, type Manifest, packages, root } from "../scripts/lib/workspace.ts";
import { layeringViolations } from "./lib/layering.ts";

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
