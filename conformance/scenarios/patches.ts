import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { reply } from "@quire/testkit";
import type { Scenario } from "../lib/scenario.ts";
import { command, runTurn, startThread } from "../lib/steps.ts";

const patch = (...lines: string[]) => `apply_patch <<'EOF'\n*** Begin Patch\n${lines.join("\n")}\n*** End Patch\nEOF\n`;
const add = patch("*** Add File: new.txt", "+one", "+two");
const update = patch("*** Update File: old.txt", "@@", "-before", "+after");
const remove = patch("*** Delete File: gone.txt");
const move = patch("*** Update File: here.txt", "*** Move to: there.txt", "@@", "-x", "+y");
const wrong = patch("*** Update File: old.txt", "@@", "-not there", "+after");

function files(cwd: string): void {
  for (const [name, text] of Object.entries({ "old.txt": "before\n", "gone.txt": "gone\n", "here.txt": "x\n" })) {
    writeFileSync(join(cwd, name), text);
  }
}

/** Changes of files by patches. */
export const patches: readonly Scenario[] = [
  {
    name: "patches/in-commands",
    covers: "Patches within commands: files are added, changed, deleted and moved; one patch does not apply",
    run: async (stage) => {
      files(stage.cwd);
      const all = [add, update, remove, move, wrong];
      stage.model.script(...all.map((each, index) => command(each, {}, { callId: `call-${index + 1}` })));
      stage.model.script(reply().text("done"));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      await runTurn(peer, thread, "go");
      await peer.request("thread/turns/list", { threadId: thread.id, itemsView: "full" });
    },
  },
  {
    name: "patches/approval",
    covers: "A change that is approved, and one that is declined",
    run: async (stage) => {
      files(stage.cwd);
      stage.model.script(command(add), command(update, {}, { callId: "call-2" }), reply().text("done"));
      const decisions = ["accept", "decline"];
      const peer = await stage.connect();
      peer.answer("item/fileChange/requestApproval", () => ({ decision: decisions.shift() }));
      await runTurn(peer, await startThread(peer, { approvalPolicy: "untrusted" }), "go");
    },
  },
];
