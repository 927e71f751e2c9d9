import { reply } from "@quire/testkit";
import { execServer } from "../lib/exec-server.ts";
import type { Scenario } from "../lib/scenario.ts";
import { command, runTurn, startThread } from "../lib/steps.ts";

const open = { approvalPolicy: "never", sandbox: "danger-full-access" };

/** Commands that run elsewhere: behind the real exec-server. */
export const environments: readonly Scenario[] = [
  {
    name: "environments/elsewhere",
    covers:
      "`environments` of a thread; `thread/environment/disconnected` and `connected`; commands behind an exec-server",
    // When the real server notices, and when it tries again, differs from run to run.
    free: ["thread/environment/disconnected", "thread/environment/connected"],
    run: async (stage) => {
      const peer = await stage.connect();
      await using first = await execServer(stage.home);
      const far = { environmentId: "far", cwd: stage.cwd };
      await peer.request("thread/start", { ...open, environments: [far] });
      await peer.request("environment/add", { environmentId: "far", execServerUrl: first.url });
      await startThread(peer, { ...open, environments: [] });
      const thread = await startThread(peer, { ...open, environments: [far] });
      stage.model.script(
        command("echo there > out.txt; cat out.txt; exit 3", {}, { callId: "call-1" }),
        reply().text("done"),
      );
      await runTurn(peer, thread, "go");
      // The real server gives up a session that is gone when it meets an exec-server that does not know it.
      await first[Symbol.asyncDispose]();
      await using _second = await execServer(stage.home, first.url);
      await peer.waitFor("thread/environment/disconnected");
      stage.model.script(command("cat out.txt", {}, { callId: "call-2" }), reply().text("done"));
      await runTurn(peer, thread, "again");
      await peer.waitFor("thread/environment/connected");
      // Before the exec-server ends, which is no part of it.
      await stage.silence();
      await peer.close();
    },
    differences: [
      {
        at: "model tool view_image",
        reason: "Pictures are read from this machine alone; where the files are elsewhere the tool is not offered.",
      },
    ],
  },
];
