import { gate, reply } from "@quire/testkit";
import { execServer } from "../../lib/exec-server.ts";
import type { Scenario } from "../../lib/scenario.ts";
import { toolWords } from "../../lib/shared-differences.ts";
import { beginTurn, command, endOfTurn, requestEach, runTurn, startThread } from "../../lib/steps.ts";

const open = { approvalPolicy: "never", sandbox: "danger-full-access" };
const here = (cwd: string) => ({ ...open, environments: [{ environmentId: "local", cwd }] });
const oneAtATime =
  "A thread works in one environment at a time, this machine unless another is chosen; Codex offers the model all of them.";

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
  {
    name: "environments/settings",
    covers:
      "`environments` of `thread/settings/update`: elsewhere, nowhere, an unknown one; a new folder alone begins anew",
    run: async (stage) => {
      const peer = await stage.connect();
      await using far = await execServer(stage.home);
      await peer.request("environment/add", { environmentId: "far", execServerUrl: far.url });
      const thread = await startThread(peer, here(stage.cwd));
      const { id: threadId } = thread;
      const answers = ["zero", "two", "three"].map((words) => reply().text(words));
      stage.model.script(answers[0] ?? reply(), command("echo there"), reply().text("one"), ...answers.slice(1));
      await runTurn(peer, thread, "zero");
      await requestEach(peer, "thread/settings/update", [
        { threadId, environments: [{ environmentId: "far", cwd: stage.cwd }] },
        { threadId, environments: [{ environmentId: "nowhere", cwd: stage.cwd }] },
      ]);
      await runTurn(peer, thread, "one");
      await peer.request("thread/settings/update", { threadId, environments: [] });
      await runTurn(peer, thread, "two");
      await peer.request("thread/settings/update", { threadId, cwd: "/tmp" });
      await runTurn(peer, thread, "three");
      await peer.request("thread/read", { threadId });
      await stage.silence();
      await peer.close();
    },
    differences: [
      { at: /^(reply|event) \S+ (result|params)\.thread(Settings)?\.environments$/, reason: oneAtATime },
      { at: /^model tool (exec_command|view_image)\.parameters\.properties\.environment_id$/, reason: oneAtATime },
      {
        at: /^model tool (exec_command|write_stdin|view_image)$/,
        reason: "Tools that need a place to work in are offered where there is one.",
      },
    ],
  },
  {
    name: "environments/turn-settings",
    covers: "`environments` of `turn/settings/update`: from the next step of this turn on, and not in the next turn",
    setup: { config: { "features.step_model_switching": true } },
    run: async (stage) => {
      const peer = await stage.connect();
      await using far = await execServer(stage.home);
      await peer.request("environment/add", { environmentId: "far", execServerUrl: far.url });
      const thread = await startThread(peer, here(stage.cwd));
      const { id: threadId } = thread;
      for (const environments of [[], [{ environmentId: "far", cwd: "/" }]]) {
        const hold = gate();
        const begun = reply().text(["begun", hold]);
        stage.model.script(
          begun.functionCall("exec_command", { cmd: "pwd" }, { callId: "call-1" }),
          command("pwd", {}, { callId: "call-2" }),
          reply().text("done"),
          reply().text("done again"),
        );
        const turn = await beginTurn(peer, thread, "go");
        await peer.waitFor("item/agentMessage/delta", (said) => said.turnId === turn.id);
        const unknown = [{ environmentId: "nowhere", cwd: stage.cwd }];
        for (const given of [unknown, environments]) {
          await peer.request("turn/settings/update", { threadId, turnId: turn.id, environments: given });
        }
        hold.open();
        await endOfTurn(peer, turn.id);
        await runTurn(peer, thread, "again");
      }
      await stage.silence();
      await peer.close();
    },
    differences: [toolWords],
  },
];
