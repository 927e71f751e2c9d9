/** Contents of a JUnit report. */
export interface Report {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly string[];
  /** The `file` attributes of test cases that are there. Only Bun writes them. */
  readonly files: ReadonlySet<string>;
}

/** Test of a report. */
export interface Case {
  readonly name: string;
  readonly file: string;
  state: "passed" | "failed" | "skipped";
}

// Attribute values are quoted, so a ">" within one does not end the tag. In text, "<" is always escaped.
const tag = /<(\/?)([a-z]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>/g;
const total = /<!-- (pass|fail|cancelled|skipped|todo) (\d+) -->/g;

/** Reads the report of `bun test` or `node --test`. Throws on a report that is cut off or empty. */
export function readJunit(xml: string): Report {
  if (!xml.trimEnd().endsWith("</testsuites>")) throw new Error("the report is cut off");
  const cases = readCases(xml);
  const named = (state: Case["state"]) => cases.filter((each) => each.state === state).map((each) => each.name);
  const skipped = named("skipped");
  const files = new Set(cases.map((each) => each.file).filter((file) => file !== ""));
  // Node's own totals also hold a test that failed after its subtests passed, which has no element of its own.
  const totals = Object.fromEntries([...xml.matchAll(total)].map(([, name, count]) => [name, Number(count)]));
  if (totals.pass === undefined) {
    return { passed: named("passed").length, failed: named("failed").length, skipped, files };
  }
  const { pass, fail = 0, cancelled = 0 } = totals;
  return { passed: pass, failed: fail + cancelled, skipped, files };
}

/** Reads the tests of a report, one by one. */
export function readCases(xml: string): Case[] {
  const cases: Case[] = [];
  let current: Case | undefined;
  for (const [, closing, name, attributes = "", selfClosing] of xml.matchAll(tag)) {
    if (name === "testcase" && closing === "") {
      current = { name: attribute(attributes, "name"), file: attribute(attributes, "file"), state: "passed" };
      cases.push(current);
      if (selfClosing === "/") current = undefined;
    } else if (name === "testcase") {
      current = undefined;
    } else if (current && (name === "failure" || name === "error")) {
      current.state = "failed";
    } else if (current && name === "skipped") {
      current.state = "skipped";
    }
  }
  return cases;
}

function attribute(attributes: string, name: string): string {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
  return value
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
}
