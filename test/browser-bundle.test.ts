import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { packages, resolveTarget } from "../scripts/lib/workspace.ts";
import { browserProblems } from "./lib/browser-bundle.ts";

/** Entries that a web page may import. Whoever adds one to a package of these decides here whether it is one. */
const browserEntries: Readonly<Record<string, readonly string[]>> = {
  jsonrpc: [".", "./memory", "./websocket"],
  protocol: [".", "./methods", "./pattern", "./shell", "./validate"],
  client: [".", "./guards", "./link", "./questions", "./view"],
  react: ["."],
};

for (const { short, dir, manifest } of packages()) {
  for (const entry of browserEntries[short] ?? []) {
    test(`${manifest.name}${entry.slice(1)} runs in a browser: it holds no builtin of Node or Bun`, async () => {
      const target = manifest.exports?.[entry];
      assert.ok(target !== undefined, "there is no such entry");
      const file = resolveTarget(target, ["browser", "bun"]);
      assert.ok(file !== undefined);
      assert.deepEqual(await browserProblems(join(dir, file)), []);
    });
  }
}

const folder = mkdtempSync(join(tmpdir(), "quire-bundle-"));
after(() => rmSync(folder, { recursive: true }));

async function problemsIn(code: string): Promise<string[]> {
  const file = join(folder, `${crypto.randomUUID()}.ts`);
  writeFileSync(file, code);
  return browserProblems(file);
}

const planted: Record<string, RegExp> = {
  'import { readFileSync } from "node:fs"; console.log(readFileSync);': /builtin "node:fs"/,
  'import { join } from "path"; console.log(join("a"));': /builtin "path"/,
  'import { EventEmitter } from "events"; console.log(EventEmitter);': /builtin "events"/,
  'const { Database } = await import("bun:sqlite"); console.log(Database);': /builtin "bun:sqlite"/,
  "console.log(process.pid);": /global "process"/,
  'console.log(Buffer.from("x"));': /global "Buffer"/,
  "export const isBun = Bun.version;": /global "Bun"/,
};

for (const [code, expected] of Object.entries(planted)) {
  test(`a planted violation is reported: ${code}`, async () => {
    const problems = await problemsIn(code);
    assert.equal(problems.length, 1, problems.join("\n"));
    assert.match(problems[0] ?? "", expected);
  });
}

test("a local variable with the name of such a global is no violation", async () => {
  const code = `export function cwd() { const { process } = globalThis; return process?.cwd(); }
    export const all = [1].map((Buffer) => Buffer + 1);`;
  assert.deepEqual(await problemsIn(code), []);
  assert.equal((await problemsIn(`${code}\nconsole.log(process.pid);`)).length, 1);
});

test("asking whether a global is there is no violation", async () => {
  const code = 'export const has = typeof process === "object" || "Bun" in globalThis || { Buffer: 1 }.Buffer;';
  assert.deepEqual(await problemsIn(code), []);
});
