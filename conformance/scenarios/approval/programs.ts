import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import type { Stage } from "../../lib/stage.ts";
import { command, runTurn, startThread } from "../../lib/steps.ts";

const aboutCommand = "item/commandExecution/requestApproval";
const untrusted = { approvalPolicy: "untrusted", sandbox: "danger-full-access" };

function writeRules(stage: Stage, ...lines: readonly string[]): void {
  mkdirSync(join(stage.home, "rules"), { recursive: true });
  writeFileSync(join(stage.home, "rules", "default.rules"), `${lines.join("\n")}\n`);
}

/** Programs that rules apply to. */
export const approvalsPrograms: readonly Scenario[] = [
  {
    name: "approvals/planted",
    covers: "A rule that allows a program by its name, and one of that name among the files of the work",
    run: async (stage) => {
      writeRules(stage, 'prefix_rule(pattern=["tool"], decision="allow")');
      mkdirSync(join(stage.cwd, "bin"));
      writeFileSync(join(stage.cwd, "bin", "tool"), "#!/bin/sh\necho planted\n", { mode: 0o755 });
      stage.model.script(command("tool", { login: false }, { callId: "call-1" }), reply().text("done"));
      const peer = await stage.connect();
      peer.answer(aboutCommand, () => ({ decision: "accept" }));
      const config = { "shell_environment_policy.set": { PATH: `${stage.cwd}/bin:/usr/bin:/bin` } };
      await runTurn(peer, await startThread(peer, { ...untrusted, config }), "go");
    },
    differences: [
      {
        at: /^event (item\/started commandExecution params\.item\.(processId|source)$|adds: (thread\/status\/changed|item\/commandExecution\/requestApproval|serverRequest\/resolved) )/,
        reason:
          "A rule that allows a program by its name is not one for a program that a command could have put there: that is asked about, with its path. Codex runs whatever PATH has first.",
      },
    ],
  },
  {
    name: "approvals/rules-paths",
    covers: "A rule that allows a program by its name, and programs of that name by their paths",
    run: async (stage) => {
      const path = (name: string) => join(stage.cwd, name, "tool");
      for (const name of ["bin", "other"]) {
        mkdirSync(join(stage.cwd, name));
        writeFileSync(path(name), "#!/bin/sh\necho planted\n", { mode: 0o755 });
      }
      writeRules(
        stage,
        'prefix_rule(pattern=["tool"], decision="allow")',
        'prefix_rule(pattern=["touch"], decision="allow")',
        `host_executable(name="tool", paths=["${path("bin")}"])`,
      );
      const lines = ["/usr/bin/touch made", `${path("bin")} a`, `${path("other")} a`];
      const calls = lines.map((line, index) => command(line, {}, { callId: `call-${index + 1}` }));
      stage.model.script(...calls, reply().text("done"));
      const peer = await stage.connect();
      peer.answer(aboutCommand, () => ({ decision: "accept" }));
      await runTurn(peer, await startThread(peer, untrusted), "go");
    },
    differences: [
      {
        at: /^event (item\/started commandExecution params\.item\.(processId|source)$|serverRequest\/resolved params\.requestId$|adds: (thread\/status\/changed|item\/commandExecution\/requestApproval|serverRequest\/resolved) )/,
        reason: "A path among the files of the work is asked about, also where `host_executable` names it.",
      },
    ],
  },
  {
    name: "approvals/rules-wrapped",
    covers: "A rule that forbids a program, and programs that run it",
    run: async (stage) => {
      writeRules(stage, 'prefix_rule(pattern=["forbidme"], decision="forbidden")');
      const lines = [
        "/bin/forbidme 1",
        "env forbidme 1",
        "timeout 5 forbidme 1",
        "bash -c 'forbidme 1'",
        "X=forbidme; $X 1",
      ];
      const calls = lines.map((line, index) => command(line, {}, { callId: `call-${index + 1}` }));
      stage.model.script(...calls, reply().text("done"));
      const peer = await stage.connect();
      peer.answer(aboutCommand, () => ({ decision: "decline" }));
      await runTurn(peer, await startThread(peer, untrusted), "go");
    },
    differences: [
      {
        at: /^event lacks: (thread\/status\/changed|item\/(started|completed) commandExecution|item\/commandExecution\/requestApproval|serverRequest\/resolved) |^model input (lacks|adds): function_call_output /,
        reason:
          "What a rule forbids is also looked for behind programs that run others, in scripts of shells, and where a variable names the program; Codex looks at the first words.",
      },
    ],
  },
];
