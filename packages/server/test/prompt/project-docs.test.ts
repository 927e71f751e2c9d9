import assert from "node:assert/strict";
import { chmodSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { tempDir } from "@quire/testkit";
import { promptSource } from "../../src/prompt/index.ts";
import { contextIn, contextTexts } from "./support.ts";

/** Files below a new folder: a home, and a project in `work` when it has a `.git`. */
async function files(content: Record<string, string>) {
  const dir = await tempDir();
  const put = (name: string, text: string) => {
    const path = join(dir.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  for (const [name, text] of Object.entries({ "home/x": "", "work/x": "", ...content })) put(name, text);
  const prompts = promptSource(join(dir.path, "home"));
  const read = (cwd: string, config: object = {}) => {
    const preamble = prompts.preamble(contextIn(join(dir.path, cwd), { config }));
    const { sources } = preamble;
    const texts = contextTexts(preamble)[2]?.texts ?? [];
    const docs = texts.length > 1 ? (texts[0] ?? "") : "";
    return { docs: docs.replaceAll(dir.path, ""), sources: sources.map((path) => path.slice(dir.path.length + 1)) };
  };
  return { path: dir.path, put, read, [Symbol.asyncDispose]: () => dir.remove() };
}

const wrapped = (cwd: string, text: string) =>
  `# AGENTS.md instructions for ${cwd}\n\n<INSTRUCTIONS>\n${text}\n</INSTRUCTIONS>`;

describe("project instructions", () => {
  test("come from home, then from the project's root down to the folder", async () => {
    await using tree = await files({
      "AGENTS.md": "ABOVE THE ROOT",
      "home/AGENTS.md": "MINE\n",
      "work/.git/HEAD": "",
      "work/AGENTS.md": "ROOT\n\n",
      "work/a/AGENTS.md": "A",
      "work/a/b/AGENTS.md": "B",
      "work/c/AGENTS.md": "C",
    });
    const { docs, sources } = tree.read("work/a/b");
    assert.equal(docs, wrapped("/work/a/b", "MINE\n\n--- project-doc ---\n\nROOT\n\nA\n\nB"));
    assert.deepEqual(sources, ["home/AGENTS.md", "work/AGENTS.md", "work/a/AGENTS.md", "work/a/b/AGENTS.md"]);
  });

  test("are the folder's own alone where there is no project around it", async () => {
    await using tree = await files({ "work/AGENTS.md": "UP", "work/a/AGENTS.md": "HERE" });
    // The temporary folder may lie in a repository; nothing has this name.
    const config = { raw: { project_root_markers: ["no-such-marker"] } };
    assert.deepEqual(tree.read("work/a", config).sources, ["work/a/AGENTS.md"]);
  });

  test("give way to AGENTS.override.md in the same folder, and fall back to the names that were set", async () => {
    await using tree = await files({
      "home/AGENTS.override.md": "MY OVERRIDE",
      "home/AGENTS.md": "MINE",
      "work/.git/HEAD": "",
      "work/AGENTS.md": "ROOT",
      "work/AGENTS.override.md": "OVERRIDE",
      "work/a/CLAUDE.md": "FALLBACK",
      "work/a/b/README.md": "NOT ASKED FOR",
    });
    assert.deepEqual(tree.read("work/a/b", { projectDocFallbacks: ["NOTES.md", "CLAUDE.md"] }).sources, [
      "home/AGENTS.override.md",
      "work/AGENTS.override.md",
      "work/a/CLAUDE.md",
    ]);
    assert.deepEqual(tree.read("work/a/b").sources, ["home/AGENTS.override.md", "work/AGENTS.override.md"]);
  });

  test("are cut at the limit of all together, never within a character", async () => {
    await using tree = await files({
      "work/.git/HEAD": "",
      "work/AGENTS.md": "ää",
      "work/a/AGENTS.md": "ööö",
      "work/a/b/AGENTS.md": "B",
    });
    assert.equal(tree.read("work/a/b", { projectDocMaxBytes: 7 }).docs, wrapped("/work/a", "ää\n\nö"));
    assert.deepEqual(tree.read("work/a/b", { projectDocMaxBytes: 4 }).sources, ["work/AGENTS.md"]);
    assert.deepEqual(tree.read("work/a/b", { projectDocMaxBytes: 0 }), { docs: "", sources: [] });
  });

  test("leave out empty files, folders of that name and what cannot be read", async () => {
    await using tree = await files({
      "work/.git/HEAD": "",
      "work/AGENTS.md": " \n",
      "work/a/AGENTS.md/x": "",
      "work/a/b/AGENTS.md": "SECRET",
    });
    chmodSync(join(tree.path, "work/a/b/AGENTS.md"), 0);
    const { sources } = tree.read("work/a/b");
    // Root can read everything.
    assert.deepEqual(sources, process.getuid?.() === 0 ? ["work/a/b/AGENTS.md"] : []);
  });

  test("are read again when they change, appear or vanish, within the same tick of the clock too", async () => {
    await using tree = await files({ "work/.git/HEAD": "", "work/AGENTS.md": "ONE" });
    const text = async () => {
      // Who asks before the event loop has gone round is told the same.
      await new Promise(setImmediate);
      return /<INSTRUCTIONS>\n([\s\S]*)\n<\/INSTRUCTIONS>/.exec(tree.read("work/a").docs)?.[1];
    };
    assert.equal(await text(), "ONE");
    tree.put("work/AGENTS.md", "TWO");
    assert.equal(await text(), "TWO");
    const old = new Date(Date.now() - 60_000);
    utimesSync(join(tree.path, "work/AGENTS.md"), old, old);
    assert.equal(await text(), "TWO");
    tree.put("work/a/AGENTS.md", "MORE");
    assert.equal(await text(), "TWO\n\nMORE");
    rmSync(join(tree.path, "work/AGENTS.md"));
    assert.equal(await text(), "MORE");
  });

  test("follow the root markers that were set", async () => {
    await using tree = await files({
      "work/.root": "",
      "work/AGENTS.md": "ROOT",
      "work/a/.git/HEAD": "",
      "work/a/AGENTS.md": "A",
    });
    assert.deepEqual(tree.read("work/a", { raw: { project_root_markers: [".root"] } }).sources, [
      "work/AGENTS.md",
      "work/a/AGENTS.md",
    ]);
  });
});
