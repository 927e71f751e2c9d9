import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { filesBelow } from "./workspace.ts";

/** A numbered line of a `requirements.md`. */
export interface Requirement {
  /** Such as `3.4`. */
  readonly number: string;
  readonly text: string;
  /** The folder whose tests cover it as a whole, from the package's own. */
  readonly coveredBy: string | undefined;
}

/** Tests by the number that their names begin with. */
export type NumberedTests = ReadonlyMap<string, readonly string[]>;

/** Reads the lines `- 3.4 text`. */
export function readRequirements(markdown: string): Requirement[] {
  return [...markdown.matchAll(/^- (\d+\.\d+) (.+)$/gm)].map(([, number = "", text = ""]) => ({
    number,
    text,
    coveredBy: /\*Covered by\* ([\w./-]*[\w/])/.exec(text)?.[1],
  }));
}

/** The numbers at the beginning of names of tests in one file: `test("3.4, 3.5: …")`. */
export function numberedTests(file: string, source: string): [number: string, test: string][] {
  const names = source.matchAll(/\b(?:test|describe|onEachTarget)\(\s*(["`])(\d+\.\d+(?:, \d+\.\d+)*): (.*?)\1/gs);
  return [...names].flatMap(([, , numbers = "", name = ""]) =>
    numbers.split(", ").map((number): [string, string] => [number, `${file}: ${name}`]),
  );
}

/** All numbered tests of a package. */
export function testsOf(dir: string): NumberedTests {
  const found = new Map<string, string[]>();
  for (const file of filesBelow(join(dir, "test"), ".test.ts")) {
    for (const [number, test] of numberedTests(relative(dir, file), readFileSync(file, "utf8"))) {
      found.set(number, [...(found.get(number) ?? []), test]);
    }
  }
  return found;
}

/** Reports each requirement without a test, each repeated number, and each test of no requirement. */
export function requirementProblems(requirements: readonly Requirement[], tests: NumberedTests, dir: string): string[] {
  const numbers = requirements.map(({ number }) => number);
  const untested = requirements.filter(({ number, coveredBy }) => coveredBy === undefined && !tests.has(number));
  return [
    ...untested.map(({ number, text }) => `${number} has no test: ${text}`),
    ...requirements
      .filter(({ coveredBy }) => coveredBy !== undefined && !existsSync(join(dir, coveredBy)))
      .map(({ number, coveredBy }) => `${number} is covered by ${coveredBy}, which does not exist`),
    ...numbers.filter((number, index) => numbers.indexOf(number) !== index).map((number) => `${number} stands twice`),
    ...[...tests]
      .filter(([number]) => !numbers.includes(number))
      .map(([number, [first]]) => `${number} is tested, but is no requirement: ${first}`),
  ];
}
