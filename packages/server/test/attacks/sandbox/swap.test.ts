/** Attacks: folders that another thread swaps while a command starts. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { attack } from "@quire/testkit/attack";
import type { Launch } from "../../../src/run/process/launcher.ts";
import { sandboxLauncher } from "../../../src/run/sandbox/sandbox-launcher.ts";
import { outputOf, workspaceWrite } from "../support/attempt.ts";
import { type World, world } from "../support/world.ts";

/** As an earlier entry program got them: without what tells folders apart. */
const unchecked = (argv: readonly string[]) => argv.map((word) => (/^[0-9a-f]+\.[0-9a-f]+$/.test(word) ? "-" : word));

/**
 * Whether a command writes outside where a folder that it may write was a link for the moment in which bubblewrap looked
 * where it leads, and a folder again when it was mounted.
 */
async function writesOutside(guarded: boolean, at: (place: World) => { workspace: string; swapped: string }) {
  await using place = await world();
  const { base, home, outside } = place;
  const { workspace, swapped } = at(place);
  mkdirSync(workspace, { recursive: true });
  const env = { PATH: process.env.PATH ?? "", HOME: base, TMPDIR: join(base, "tmp") };
  const plain: Launch = { argv: ["/bin/bash", "-c", `echo evil > "${swapped}/file"`], cwd: "/", env };
  const confinement = { policy: workspaceWrite(), workspace: [workspace], tty: false };
  const { argv, ...launch } = sandboxLauncher({ home, env })(plain, confinement);
  const led = argv.map((word, index) => (word === swapped && argv[index - 1] === "--bind" ? outside : word));
  await outputOf({ ...launch, argv: guarded ? led : unchecked(led) });
  return readFileSync(join(outside, "file"), "utf8").includes("evil");
}

attack("puts a link in the place of another thread's workspace while a command starts there", (guarded) =>
  writesOutside(guarded, ({ workspace }) => ({ workspace, swapped: workspace })),
);

attack("puts a link in the place of a workspace among temporary files while a command starts there", (guarded) =>
  writesOutside(guarded, ({ base }) => ({ workspace: join(base, "tmp/x/ws"), swapped: join(base, "tmp/x/ws") })),
);
