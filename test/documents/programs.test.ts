/** Whole programs of the documents run as they stand. Those that are embedded from `examples` have tests of their own. */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { after, test } from "node:test";
import { reply } from "@quire/testkit";
import { documents } from "../../scripts/lib/embed.ts";
import { root } from "../../scripts/lib/workspace.ts";
import { type ExampleStage, exampleStage } from "../lib/example-stage.ts";
import { ownSnippets } from "../lib/pieces.ts";

/** The way a document's program is run. */
interface Program {
  /** Prepares the model, the folder and the environment. */
  readonly prepare?: (stage: ExampleStage) => Readonly<Record<string, string>> | undefined;
  /** The text that it prints. */
  readonly prints: RegExp;
  /** Set for a program that serves until it is interrupted: the text after which that happens. */
  readonly serves?: string;
}

const answer = (stage: ExampleStage) => {
  stage.model.script(reply().text("It is fixed."));
  return undefined;
};

const programs: Readonly<Record<string, Program>> = {
  "README.md": { prepare: answer, prints: /It is fixed\./ },
  "docs/jsonrpc.md": { prints: /^$/ },
  "packages/agent/README.md": {
    prepare: (stage) => {
      stage.model.script(
        reply().functionCall("lookup_ticket", { id: "T-12" }),
        reply().text('{"title":"Quire","files":["a","b"]}'),
      );
      return undefined;
    },
    prints: /^Quire 2 \d+\n$/,
  },
  "packages/client/README.md": { prepare: answer, prints: /It is fixed\.completed \d+ \d+\n/ },
  "packages/gateway/README.md": { prints: /^Open http:\/\/127\.0\.0\.1:\d+\/#token=/, serves: "Open http" },
  "packages/jsonrpc/README.md": { prints: /userAgent/ },
  "packages/orchestrator/README.md": {
    prepare: ({ codex }) => {
      cpSync(join(root, "examples", "backlog"), codex.cwd, { recursive: true });
      const workflow = join(codex.cwd, "WORKFLOW.md");
      // As though it were installed: the shell that starts it has a PATH of its own.
      const quire = join(root, "packages", "cli", "bin", "quire");
      writeFileSync(workflow, readFileSync(workflow, "utf8").replace("command: quire", `command: ${quire}`));
      return { QUIRE_HOME: join(codex.home, "quire") };
    },
    prints: /^TOUR-1 \w+\nTOUR-2 \w+\n/,
  },
  "packages/protocol/README.md": { prints: /^\[\] \d+\ntrue\n/ },
  "packages/server/README.md": { prints: /hello/ },
  "packages/testkit/README.md": { prints: /^Hello\n$/ },
  "packages/web/README.md": { prints: /^Open http:\/\/127\.0\.0\.1:\d+\/#token=/, serves: "Open http" },
};

// Within the repository, so that its packages are found.
mkdirSync(join(root, ".cache"), { recursive: true });
const folder = mkdtempSync(join(root, ".cache", "programs-"));
after(() => rmSync(folder, { recursive: true }));

test("every package's README shows a program that is run", () => {
  const readmes = documents()
    .map((file) => relative(root, file))
    .filter((file) => /^packages\/(?!(?:cli|react)\/)/.test(file));
  assert.ok(readmes.length > 8);
  assert.deepEqual(
    readmes.filter((file) => !programs[file]),
    [],
  );
});

for (const [document, { prepare, prints, serves }] of Object.entries(programs)) {
  test(`${document}: its program runs as it stands`, { timeout: 60_000 }, async () => {
    const [code = "", ...more] = ownSnippets(document).map((piece) => piece.code);
    assert.deepEqual(more, [], "a document's program is one snippet");
    const file = join(folder, `${document.replace(/\W/g, "-")}.ts`);
    writeFileSync(file, code);
    await using stage = await exampleStage();
    const env = prepare?.(stage) ?? {};
    const example = stage.start(relative(root, file), { env });
    if (serves !== undefined) {
      await example.printed(serves);
      example.interrupt();
      assert.match((await example.ended).output, prints);
      return;
    }
    const { code: status, output } = await example.ended;
    assert.equal(status, 0, output);
    assert.match(output, prints);
  });
}
