/** `bun scripts/agent-requirements.ts`: which test holds which requirement of `@quire/agent`. Fails where one is missing. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { readRequirements, requirementProblems, testsOf } from "./lib/requirements.ts";
import { root } from "./lib/workspace.ts";

const dir = join(root, "packages", "agent");
const requirements = readRequirements(readFileSync(join(dir, "requirements.md"), "utf8"));
const tests = testsOf(dir);
for (const { number, coveredBy } of requirements) {
  const [first = coveredBy ?? "NONE", ...rest] = tests.get(number) ?? [];
  console.log(`${number.padEnd(6)}${first}${rest.length === 0 ? "" : ` (and ${rest.length} more)`}`);
}
const problems = requirementProblems(requirements, tests, dir);
for (const problem of problems) console.error(problem);
console.log(`${requirements.length} requirements, ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
