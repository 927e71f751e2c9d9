import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readJunit } from "../scripts/lib/junit.ts";
import { runSuite } from "../scripts/lib/suites.ts";
import { root } from "../scripts/lib/workspace.ts";

const folder = mkdtempSync(join(tmpdir(), "quire-runner-"));
after(() => rmSync(folder, { recursive: true }));
const good = 'test("good", () => {});';

/** Runs files with these texts as one suite on Bun. */
async function run(...texts: string[]) {
  const files = texts.map((text, n) => {
    const file = join(folder, `planted-${n}.test.ts`);
    writeFileSync(file, `import { before, describe, test } from "node:test";\n${text}\n`);
    return file;
  });
  const { passed, failed, skipped, details } = await runSuite(
    { group: "planted", part: "", runtime: "bun", files },
    folder,
  );
  return { counts: [passed, failed, skipped.length], details };
}

const planted: Record<string, { texts: string[]; counts: number[]; says?: RegExp }> = {
  "passing, failing and skipped tests": {
    texts: [`${good} test("bad", () => { throw new Error("planted"); }); test("no", { skip: true }, () => {});`],
    counts: [1, 1, 1],
    says: /planted/,
  },
  "a file that fails to load beside one that passes": {
    texts: [good, 'throw new Error("planted");'],
    counts: [1, 1, 0],
    says: /planted-1\.test\.ts reported no test/,
  },
  "a file without tests": { texts: [good, "export {};"], counts: [1, 1, 0], says: /reported no test/ },
  "a test that ends the process with success": {
    texts: ["process.exit(0);"],
    counts: [0, 1, 0],
    says: /no usable report/,
  },
  "an error outside of a test": {
    texts: [`before(() => { throw new Error("planted"); }); ${good}`],
    counts: [1, 1, 0],
    says: /error outside of a test/,
  },
};

for (const [what, { texts, counts, says }] of Object.entries(planted)) {
  test(`npm test counts right: ${what}`, async () => {
    const found = await run(...texts);
    assert.deepEqual(found.counts, counts, found.details);
    assert.match(found.details, says ?? /(?:)/);
  });
}

test("npm test fails, and runs nothing else, when the tests for Node were not compiled", async () => {
  const file = join(root, "packages", "nowhere", "test", "a.test.ts");
  const { passed, failed, details } = await runSuite(
    { group: "nowhere", part: "", runtime: "node", files: [file] },
    folder,
  );
  assert.deepEqual([passed, failed], [0, 1]);
  assert.match(details, /was not compiled/);
});

test("a test on Node that fails after its subtests passed is counted", () => {
  const xml = `<testsuites><testsuite name="p"><testcase name="in" classname="test"/></testsuite>
    <!-- pass 1 --><!-- fail 1 --><!-- cancelled 0 -->\n</testsuites>`;
  assert.deepEqual([readJunit(xml).passed, readJunit(xml).failed], [1, 1]);
});

test("a report that is cut off is no report", () => {
  assert.throws(() => readJunit('<testsuites><testcase name="a"/>'), /cut off/);
});
