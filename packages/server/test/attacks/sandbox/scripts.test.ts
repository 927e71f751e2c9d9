/** Attacks: scripts that run outside, from within the sandbox. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openConfig } from "../../../src/config/open-config.ts";
import { refusalOf } from "../../../src/config/trust/refuse-program.ts";
import { type Attempt, testAttempts } from "../support/attempt.ts";
import type { World } from "../support/world.ts";

/** A script of a trusted project that a hook of the user's runs, right after it was compared with what the user trusted. */
const compared = {
  prepare: ({ home, workspace }: World) => {
    mkdirSync(join(workspace, "tools/hooks"), { recursive: true });
    writeFileSync(join(workspace, "tools/hooks/check.sh"), "good\n");
    writeFileSync(join(home, "config.toml"), `[projects.${JSON.stringify(workspace)}]\ntrust_level = "trusted"\n`);
    const program = { command: "sh tools/hooks/check.sh", env: {} };
    const config = openConfig({ home, env: {} });
    config.trust.trust(workspace);
    config.trust.trustScripts(["tools/hooks/check.sh"], [workspace]);
    assert.equal(refusalOf(config, { cwd: workspace, program, startsIn: workspace }), undefined);
    return {};
  },
  escaped: ({ workspace }: World) => readFileSync(join(workspace, "tools/hooks/check.sh"), "utf8").includes("evil"),
};

const attempts: readonly Attempt[] = [
  {
    name: "writes into the script of a hook between its check and its start",
    ...compared,
    scripts: ["echo evil > tools/hooks/check.sh"],
  },
  {
    name: "puts a script of its own in the place of a hook's between its check and its start",
    ...compared,
    scripts: ["echo evil > mine; mv -f mine tools/hooks/check.sh"],
  },
  {
    name: "removes the script of a hook and makes its own",
    ...compared,
    scripts: ["rm -f tools/hooks/check.sh; echo evil > tools/hooks/check.sh"],
  },
  {
    name: "puts a folder of its own in the place of the one with a hook's script",
    ...compared,
    scripts: ["mkdir -p mine/hooks; echo evil > mine/hooks/check.sh; mv tools old; mv mine tools"],
  },
  {
    name: "writes into the script of a hook by another name that it gives it",
    ...compared,
    scripts: ["ln tools/hooks/check.sh mine; echo evil > mine"],
  },
  {
    name: "writes into the script of a hook through its descriptor",
    ...compared,
    scripts: ["exec 3< tools/hooks/check.sh; echo evil > /proc/self/fd/3"],
  },
];

testAttempts(attempts);
