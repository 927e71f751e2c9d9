import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gate, httpError, type MockResponses, type Reply, reply } from "@quire/testkit";

/** Messages in the screenshots, by the names of their threads. */
export const asked = {
  busy: "The tide table is an hour off after the clocks change. Find out why, and fix it.",
  approval: "Install the dependencies and run the whole suite.",
  notes: "Write the release notes for 2.4",
  running: "Move the predictions into a package of their own.",
  failing: "Translate the table into Welsh.",
  slow: "Why does the import of a year take 40 s?",
} as const;

const before = `import { later, type Tide } from "./model.ts";

/** The tides of one day, in the harbour's own time. */
export function tidesOf(day: Date, offset: number): Tide[] {
  const midnight = later(day, -offset);
  return predict(midnight).map((tide) => ({
    ...tide,
    at: later(tide.at, offset),
  }));
}
`;

const test = `import { strict as assert } from "node:assert";
import { test } from "node:test";

for (const day of ["2026-03-28", "2026-03-29", "2026-10-25"]) {
  test(\`high water on \${day}\`, () => assert.ok(day));
}
`;

const patch = `*** Begin Patch
*** Update File: src/tides.ts
@@
-import { later, type Tide } from "./model.ts";
+import { later, offsetAt, type Tide } from "./model.ts";
 
 /** The tides of one day, in the harbour's own time. */
-export function tidesOf(day: Date, offset: number): Tide[] {
-  const midnight = later(day, -offset);
+export function tidesOf(day: Date, zone: string): Tide[] {
+  const midnight = later(day, -offsetAt(zone, day));
   return predict(midnight).map((tide) => ({
     ...tide,
-    at: later(tide.at, offset),
+    // The clocks may change between two tides.
+    at: later(tide.at, offsetAt(zone, tide.at)),
   }));
 }
*** End Patch`;

const answer = `The table took **one offset for the whole day**. On the two days on which the clocks change, every tide after
01:00 UTC was therefore an hour off.

\`tidesOf\` now takes the harbour's time zone and asks for the offset of each tide:

\`\`\`ts
at: later(tide.at, offsetAt(zone, tide.at))
\`\`\`

The tests cover the last Sundays of March and October. Callers pass \`harbour.zone\` instead of a number.`;

/** The small project that the pictures are about. */
export function makeProject(cwd: string): void {
  mkdirSync(join(cwd, "src"), { recursive: true });
  writeFileSync(join(cwd, "src", "tides.ts"), before);
  writeFileSync(join(cwd, "src", "tides.test.ts"), test);
  mkdirSync(join(cwd, "scripts"));
  writeFileSync(join(cwd, "scripts", "test"), `#!/bin/sh\n${testScript}`, { mode: 0o755 });
  writeFileSync(join(cwd, "package.json"), '{ "name": "harbour", "type": "module" }\n');
  const git = (...args: string[]) => execFileSync("git", args, { cwd, stdio: "ignore" });
  git("init", "-b", "summer-time");
  git("add", ".");
  git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-m", "Tides");
}

const run = (cmd: string): Reply => reply().functionCall("exec_command", { cmd });

function plan(...statuses: readonly string[]): Reply {
  const steps = ["Find where the hour is lost", "Take the offset of each tide", "Test the days on which clocks change"];
  const plan = steps.map((step, index) => ({ step, status: statuses[index] }));
  return reply().functionCall("update_plan", { plan });
}

/** Output of the project's tests. */
const testScript =
  "printf '\\033[32m✔\\033[0m high water on 2026-03-28 \\033[2m(1.2 ms)\\033[0m\\n\\033[32m✔\\033[0m high water on 2026-03-29 \\033[2m(0.4 ms)\\033[0m\\n\\033[32m✔\\033[0m high water on 2026-10-25 \\033[2m(0.3 ms)\\033[0m\\n\\n\\033[1m3 passed\\033[0m, 0 failed\\n'\n";

/** Tells the model what it says. */
export function writeScript(model: MockResponses): void {
  const when = (text: string) => model.when((request) => request.inputText().includes(text));
  const spent = { input: 18_400, cachedInput: 12_000, output: 640 };
  when(asked.busy).reply(
    plan("in_progress", "pending", "pending"),
    run("cat src/tides.ts"),
    run("grep -rn tidesOf src"),
    run(`apply_patch <<'EOF'\n${patch}\nEOF`),
    plan("completed", "completed", "in_progress"),
    run("scripts/test"),
    plan("completed", "completed", "completed"),
    reply().text(answer).usage(spent),
  );
  when(asked.approval).reply(run("npm install && npm test"), reply().text("I leave it, then."));
  // The second answer never comes: the turn is at work in the pictures.
  when(asked.running).reply(
    plan("in_progress", "pending", "pending"),
    run("scripts/test"),
    reply().text(["The tests pass. Now the predictions move.", gate()]),
  );
  when(asked.failing).always(httpError(401, { error: { message: "Incorrect API key provided." } }));
  when(asked.notes).always(reply().text("Version 2.4 knows summer time.").usage(spent));
  when(asked.slow).always(reply().text("Each row is a transaction of its own.").usage(spent));
}
