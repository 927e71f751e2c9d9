import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RecordedRequest, reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import { toolWords } from "../../lib/shared-differences.ts";
import { command, endOfTurn, runTurn, startThread, until } from "../../lib/steps.ts";

/** The process that a call left running, as the model was told. */
function sessionOf(request: RecordedRequest, callId: string): number {
  return Number(/session ID (\d+)/.exec(request.functionOutput(callId) ?? "")?.[1] ?? 0);
}

/** Waits for the end of the process. */
function writes(chars: string, callId: string) {
  return (request: RecordedRequest) =>
    reply().functionCall(
      "write_stdin",
      { session_id: sessionOf(request, "call-1"), chars, yield_time_ms: 30_000 },
      { callId },
    );
}

/** Commands that the model runs. */
export const commands: readonly Scenario[] = [
  {
    name: "commands/short",
    covers: "Commands that succeed and fail: items, actions, what the model is told",
    run: async (stage) => {
      stage.model.script(
        command("echo hi"),
        command("exit 3", {}, { callId: "call-2" }),
        command("ls -la | head -1", {}, { callId: "call-3" }),
        command("cat nofile", { workdir: "/tmp", login: false }, { callId: "call-4" }),
        command("printf 'a\\nb'", { shell: "/bin/sh" }, { callId: "call-5" }),
        command("", {}, { callId: "call-6" }),
        command("echo x", { workdir: "/no/such" }, { callId: "call-7" }),
        reply().text("done"),
      );
      const peer = await stage.connect();
      const thread = await startThread(peer);
      await runTurn(peer, thread, "go");
      await peer.request("thread/read", { threadId: thread.id, includeTurns: true });
    },
    differences: [
      toolWords,
      {
        at: /aggregatedOutput$/,
        reason: "A command that cannot be started says where and why.",
      },
    ],
  },
  {
    name: "commands/environment",
    covers: "Variables of the server that a command sees",
    setup: { env: { MY_TOKEN: "a", MY_KEY: "b", MY_SECRET: "c", MY_NAME: "d" } },
    run: async (stage) => {
      stage.model.script(
        command('echo "[$MY_TOKEN][$MY_KEY][$MY_SECRET][$MY_NAME][$TERM][$PAGER][$NO_COLOR]"', { login: false }),
        reply().text("done"),
      );
      const peer = await stage.connect();
      await runTurn(peer, await startThread(peer), "go");
    },
    differences: [
      {
        at: /aggregatedOutput$|^model input (lacks|adds): function_call_output /,
        reason:
          "Variables named like keys, tokens or secrets reach no command unless `shell_environment_policy.ignore_default_excludes` is true, which it is in Codex unless set.",
      },
    ],
  },
  {
    name: "commands/actions",
    covers: "What a command does, in words: reads, lists, searches",
    run: async (stage) => {
      const lines = [
        "grep -rn needle src",
        "sed -n 1,5p a.txt",
        "find . -name '*.ts'",
        "head -5 a.txt",
        "git status",
        "cd sub && ls",
      ];
      stage.model.script(...lines.map((line, index) => command(line, {}, { callId: `call-${index + 1}` })));
      stage.model.script(reply().text("done"));
      const peer = await stage.connect();
      await runTurn(peer, await startThread(peer), "go");
    },
  },
  {
    name: "commands/long",
    covers: "Output of a long command as it comes",
    streamed: true,
    run: async (stage) => {
      stage.model.script(command("for i in 1 2 3; do echo line $i; sleep 0.3; done"), reply().text("done"));
      const peer = await stage.connect();
      await runTurn(peer, await startThread(peer), "go");
    },
  },
  {
    name: "commands/terminal",
    covers: "A terminal that outlives its yield time and gets input",
    streamed: true,
    run: async (stage) => {
      stage.model.script(
        // What it says first belongs to this call, on a busy machine too.
        command("tput cols; read x; echo got $x", { tty: true, yield_time_ms: 3000 }),
        writes("abc\n", "call-2"),
        reply().text("done"),
      );
      const peer = await stage.connect();
      await runTurn(peer, await startThread(peer), "go");
    },
  },
  {
    name: "commands/no-terminal",
    covers: "Without a terminal a command has no input, and none can be written",
    free: ["item/completed"],
    run: async (stage) => {
      stage.model.script(
        command(`read x; echo got $x; ${until("go")}`, { yield_time_ms: 3000 }),
        writes("abc\n", "call-2"),
        reply().functionCall("write_stdin", { session_id: 999, chars: "x" }, { callId: "call-3" }),
        reply().text("done"),
      );
      const peer = await stage.connect();
      await runTurn(peer, await startThread(peer), "go");
      writeFileSync(join(stage.cwd, "go"), "");
      await peer.waitFor("item/completed", ({ item }) => item.id === "call-1");
    },
  },
  {
    name: "commands/background",
    covers: "A command that outlives its turn; background terminals are listed and cleaned",
    run: async (stage) => {
      stage.model.script(
        command(`${until("go")}; echo late`, { yield_time_ms: 250 }),
        reply().text("done"),
        command("sleep 30", { yield_time_ms: 250 }, { callId: "call-2" }),
        reply().text("done"),
      );
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const threadId = thread.id;
      await runTurn(peer, thread, "go");
      writeFileSync(join(stage.cwd, "go"), "");
      await peer.waitFor("item/completed", ({ item }) => item.id === "call-1");
      await runTurn(peer, thread, "go");
      await peer.request("thread/backgroundTerminals/list", { threadId });
      await peer.request("thread/backgroundTerminals/clean", { threadId });
      await peer.waitFor("item/completed", ({ item }) => item.id === "call-2");
    },
    differences: [
      {
        at: "reply thread/backgroundTerminals/list result.data.osPid",
        reason: "The process id of a background terminal is given.",
      },
      {
        at: "event item/completed commandExecution params.item.exitCode",
        reason: "The exit code says which signal ended a command.",
      },
    ],
  },
  {
    name: "commands/output-cap",
    covers: "What the model gets of long output, and what the client gets",
    run: async (stage) => {
      stage.model.script(
        command("seq 1 20000", { max_output_tokens: 50 }),
        command("seq 1 20000", {}, { callId: "call-2" }),
        reply().text("done"),
      );
      const peer = await stage.connect();
      await runTurn(peer, await startThread(peer), "go");
    },
  },
  {
    name: "commands/parallel",
    covers: "Two calls at once: their items come in any order, the model gets the outputs in order",
    free: ["item/started", "item/completed"],
    run: async (stage) => {
      stage.model.script(
        reply()
          .functionCall("exec_command", { cmd: "sleep 0.3; echo one" }, { callId: "call-1" })
          .functionCall("exec_command", { cmd: "echo two" }, { callId: "call-2" }),
        reply().text("done"),
      );
      const peer = await stage.connect();
      await runTurn(peer, await startThread(peer), "go");
    },
  },
  {
    name: "commands/bad-calls",
    covers: "Unknown tools and bad arguments: no item, and the model is told",
    run: async (stage) => {
      stage.model.script(
        reply().functionCall("nope", { a: 1 }, { callId: "call-1" }),
        reply().functionCall("exec_command", "not json", { callId: "call-2" }),
        reply().functionCall("exec_command", { cmd: 5 }, { callId: "call-3" }),
        reply().functionCall("exec_command", {}, { callId: "call-4" }),
        reply().customToolCall("nope", "x", { callId: "call-5" }),
        reply().functionCall("nope", {}, { callId: "call-6", namespace: "ns" }),
        reply().text("done"),
      );
      const peer = await stage.connect();
      await runTurn(peer, await startThread(peer), "go");
    },
    differences: [toolWords],
  },
  {
    name: "commands/shell",
    covers: "`thread/shellCommand`: a command of the user's own, between turns and during one; what cannot be run",
    free: ["item/started", "item/completed", "thread/tokenUsage/updated"],
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer, { approvalPolicy: "never", sandbox: "danger-full-access" });
      const shell = (line: string) => peer.request("thread/shellCommand", { threadId: thread.id, command: line });
      await shell("");
      await shell("echo own; exit 3");
      await endOfTurn(peer);
      await runTurn(peer, thread, "go");
    },
    differences: [
      {
        at: /^model input (lacks|adds): user <shell command>/,
        reason: "The context stands before all that was said and done; Codex puts it where the first turn begins.",
      },
    ],
  },
];
