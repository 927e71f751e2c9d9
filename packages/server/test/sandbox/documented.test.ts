/** What docs/sandbox.md says is tested, is. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const page = join(import.meta.dirname, "../../../../docs/sandbox.md");
const kinds = {
  "files.test.ts": "Files",
  "network.test.ts": "Network",
  "processes.test.ts": "Processes",
  "end-to-end.test.ts": "On a server",
};

/** Names of attempts, or of tests, in a file. */
function namesIn(file: string): string[] {
  const text = readFileSync(join(import.meta.dirname, file), "utf8");
  return [...text.matchAll(/(?:\bname: |^test\()"([^"]+)"|^ *test\(`([^`$]+), \$\{how\}`/gm)].map(
    ([, name, other]) => name ?? other ?? "",
  );
}

function list(): string {
  return Object.entries(kinds)
    .map(
      ([file, kind]) =>
        `${kind}:\n\n${namesIn(file)
          .map((name) => `- ${name}`)
          .join("\n")}`,
    )
    .join("\n\n");
}

test("docs/sandbox.md lists the attempts that are tested, thirty at least", () => {
  const [, written] = readFileSync(page, "utf8").split(/<!-- \/?attempts -->/);
  assert.equal(written?.trim(), list(), `put this between the marks:\n\n${list()}\n`);
  assert.ok(list().split("\n- ").length > 30);
});

test("every file of attempts is listed", () => {
  const withAttempts = readdirSync(import.meta.dirname).filter(
    (name) => name.endsWith(".test.ts") && namesIn(name).length > 0,
  );
  const others = ["documented.test.ts", "launcher.test.ts", "seatbelt.test.ts", "unavailable.test.ts"];
  assert.deepEqual(withAttempts.filter((name) => !others.includes(name)).sort(), Object.keys(kinds).sort());
});
