import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Scenario } from "../../lib/scenario.ts";
import { runTurn, startThread } from "../../lib/steps.ts";
import { aboutCommand, decides, escalated, runs } from "./steps.ts";

const rule = 'prefix_rule(pattern=["touch", "by-rule"], decision="prompt")\n';

/** Commands that a user was asked about: inside or outside of the sandbox. */
export const confinedApprovals: readonly Scenario[] = [
  {
    name: "approvals/confined",
    covers: "An accepted command runs in the sandbox, unless the model asked to leave it",
    run: async (stage) => {
      mkdirSync(join(stage.home, "rules"), { recursive: true });
      writeFileSync(join(stage.home, "rules", "default.rules"), rule);
      const peer = await stage.connect();
      decides(peer, aboutCommand, "accept");
      stage.model.script(...runs("touch by-rule", "rm -rf x; touch risky", ["touch asked", escalated]));
      await runTurn(peer, await startThread(peer, { sandbox: "read-only" }), "go");
      for (const file of ["by-rule", "risky", "asked"]) stage.observe(file, existsSync(join(stage.cwd, file)));
    },
  },
];
