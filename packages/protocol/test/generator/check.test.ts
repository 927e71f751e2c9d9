import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

// Compiled or not, this file lies three folders below the package's parent.
const packageDirectory = join(dirname(fileURLToPath(import.meta.url)), "../..");
const committed = join(packageDirectory, "src/generated");
const bun = process.versions.bun ? process.execPath : join(packageDirectory, "../../node_modules/.bin/bun");

// Each check runs the Codex binary four times; a busy machine takes its time.
const slow = { timeout: 120_000 };

const check = (directory: string): { status: number | null; output: string } => {
  const { status, stdout, stderr } = spawnSync(bun, [join(packageDirectory, "generator/check.ts"), directory], {
    encoding: "utf8",
  });
  return { status, output: `${stdout}${stderr}` };
};

describe("protocol:check", () => {
  let copy = "";
  before(() => {
    copy = mkdtempSync(join(tmpdir(), "quire-check-"));
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  /** Edits one file of the copy. */
  const plant = (file: string, edit: (text: string) => string): void => {
    const path = join(copy, file);
    const text = readFileSync(path, "utf8");
    const edited = edit(text);
    assert.notEqual(edited, text, "the edit changed nothing");
    writeFileSync(path, edited);
  };

  it("passes, in one line, when the installed Codex gives the committed files", slow, () => {
    const { status, output } = check(committed);
    assert.equal(status, 0, output);
    assert.match(output, /^protocol: \d+ generated files agree with Codex [\d.]+\n$/);
  });

  it("sees a difference that has no name", slow, () => {
    cpSync(committed, copy, { recursive: true });
    plant("types.ts", (text) => `${text}\n`);
    const { status, output } = check(copy);
    assert.equal(status, 1);
    assert.match(output, /^ {2}changed file types\.ts$/m);
  });

  it("names the methods, types, schemas and version entries that differ, and no others", slow, () => {
    cpSync(committed, copy, { recursive: true });
    plant("methods.ts", (text) => text.replace(/^ {2}"thread\/archive": .*\n/m, ""));
    plant("turn.ts", (text) => text.replace('"interrupted"', '"stopped"'));
    plant("fs.ts", (text) => `${text}\n/** Made up. */\nexport type MadeUp = string;\n`);
    plant("schemas.ts", (text) => text.replace(/^( {2}TurnStatus: ).*$/m, "$1'{}',"));
    plant("versions.ts", (text) => text.replace('"thread/turns/list",', ""));
    const { status, output } = check(copy);
    assert.equal(status, 1);
    assert.deepEqual(output.trim().split("\n").slice(1), [
      "  added method thread/archive",
      "  added methodSpans entry thread/turns/list",
      "  changed schema TurnStatus",
      "  removed type MadeUp",
      "  changed type TurnStatus",
    ]);
  });
});
