import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import type { Stage } from "../../lib/stage.ts";
import { command, runTurn, startThread } from "../../lib/steps.ts";

const open = { approvalPolicy: "never", sandbox: "danger-full-access" };

const patch = (...lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");

const whole = patch(
  "*** Add File: sub/new.txt",
  "+first",
  "+second",
  "*** Update File: old.txt",
  "@@",
  " one",
  "-two",
  "+2",
  "*** Delete File: gone.txt",
  "*** Update File: from.txt",
  "*** Move to: to.txt",
  "@@",
  "-moved",
  "+Moved",
);

/** A repository of its own: diffs are told relative to the nearest one, wherever tests may run. */
function prepare(stage: Stage): void {
  mkdirSync(join(stage.cwd, ".git"));
  writeFileSync(join(stage.cwd, "old.txt"), "one\ntwo\nthree\n");
  writeFileSync(join(stage.cwd, "gone.txt"), "bye\n");
  writeFileSync(join(stage.cwd, "from.txt"), "moved\n");
}

const ownGrammar = {
  at: "model tool apply_patch.format.definition",
  reason: "The grammar of patches is Quire's own; it describes the same language.",
};

/** Changes of files. */
export const patches: readonly Scenario[] = [
  {
    name: "patches/custom",
    covers: "`apply_patch` as a tool of free text, which streams",
    setup: { modelName: "gpt-5.5" },
    // The real server counts tokens while the calls run.
    free: ["thread/tokenUsage/updated"],
    run: async (stage) => {
      prepare(stage);
      stage.model.script(
        reply().customToolCall("apply_patch", whole, { callId: "call-1", chunks: 12 }),
        reply().text("done"),
      );
      const peer = await stage.connect();
      const thread = await startThread(peer, open);
      await runTurn(peer, thread, "go");
    },
    differences: [ownGrammar],
  },
  {
    name: "patches/streamed",
    covers: "A patch that streams, for those who want to see it: `apply_patch_streaming_events`",
    setup: { modelName: "gpt-5.5", config: { "features.apply_patch_streaming_events": true } },
    // The real server counts tokens while the calls run.
    free: ["thread/tokenUsage/updated"],
    run: async (stage) => {
      prepare(stage);
      stage.model.script(
        reply().customToolCall("apply_patch", whole, { callId: "call-1", chunks: 6, delayMs: 300 }),
        reply().text("done"),
      );
      const peer = await stage.connect();
      const thread = await startThread(peer, open);
      await runTurn(peer, thread, "go");
    },
    differences: [
      ownGrammar,
      {
        at: "event item/fileChange/patchUpdated params.changes.diff",
        reason: "Lines that a patch keeps are shown as such; Codex shows them as taken away and put back.",
      },
    ],
  },
  {
    name: "patches/function",
    covers: "`apply_patch` as a function",
    // The real server counts tokens while the calls run.
    free: ["thread/tokenUsage/updated"],
    run: async (stage) => {
      prepare(stage);
      stage.model.script(
        reply().functionCall("apply_patch", { input: whole }, { callId: "call-1" }),
        reply().text("done"),
      );
      const peer = await stage.connect();
      const thread = await startThread(peer, open);
      await runTurn(peer, thread, "go");
    },
    differences: [
      {
        at: /^event adds: (item\/(started|completed) fileChange|turn\/diff\/updated)|^model input (lacks|adds): function_call_output/,
        reason: "A model that calls `apply_patch` as a function is understood, as it was by earlier versions of Codex.",
      },
    ],
  },
  {
    name: "patches/command",
    covers: "A patch as a command: with `cd`, in a folder, with other quotes, beside other commands",
    // The real server counts tokens while the calls run.
    free: ["thread/tokenUsage/updated"],
    run: async (stage) => {
      prepare(stage);
      mkdirSync(join(stage.cwd, "sub"));
      const add = (name: string) => patch(`*** Add File: ${name}`, "+x");
      stage.model.script(
        command(`apply_patch <<'EOF'\n${whole}EOF`, {}, { callId: "call-1" }),
        command(`cd sub && apply_patch <<'PATCH'\n${add("a.txt")}PATCH\n`, {}, { callId: "call-2" }),
        command(`apply_patch <<'EOF'\n${add("b.txt")}EOF\n`, { workdir: "sub" }, { callId: "call-3" }),
        command(`applypatch <<"EOF"\n${add("c.txt")}EOF\n`, {}, { callId: "call-4" }),
        command(`apply_patch '${add("d.txt")}'`, {}, { callId: "call-5" }),
        command("ls sub", {}, { callId: "call-6" }),
        reply().text("done"),
      );
      const peer = await stage.connect();
      const thread = await startThread(peer, open);
      await runTurn(peer, thread, "go");
    },
    differences: [
      {
        at: /call-5|^event (adds: turn\/diff\/updated|thread\/tokenUsage\/updated params\.tokenUsage|turn\/diff\/updated params\.diff)/,
        reason: "A patch that is an argument of the command is applied too; Codex runs it, and finds no such program.",
      },
    ],
  },
  {
    name: "patches/refused",
    covers: "Patches that do not fit: no item, and the model is told",
    // The real server counts tokens while the calls run.
    free: ["thread/tokenUsage/updated"],
    run: async (stage) => {
      prepare(stage);
      const run = (text: string, callId: string) => command(`apply_patch <<'EOF'\n${text}EOF\n`, {}, { callId });
      stage.model.script(
        run(patch("*** Update File: old.txt", "@@", "-nothing like it", "+x"), "call-1"),
        run(patch("*** Update File: nowhere.txt", "@@", "-a", "+b"), "call-2"),
        run(patch("*** Delete File: nowhere.txt"), "call-3"),
        run("*** Begin Patch\n*** Add File: x\n+y\n", "call-4"),
        run(patch("*** Change File: x", "+y"), "call-5"),
        run(patch(), "call-6"),
        reply().text("done"),
      );
      const peer = await stage.connect();
      const thread = await startThread(peer, open);
      await runTurn(peer, thread, "go");
    },
    differences: [
      {
        at: /^model input (lacks|adds): function_call_output .*Failed to find expected lines/,
        reason: "The model is told which hunk does not fit, and what of it does.",
      },
    ],
  },
  {
    name: "patches/endings",
    covers: "Line endings and a missing last one are kept; a diff since the beginning of the turn",
    // The real server counts tokens while the calls run.
    free: ["thread/tokenUsage/updated"],
    run: async (stage) => {
      prepare(stage);
      writeFileSync(join(stage.cwd, "crlf.txt"), "one\r\ntwo\r\n");
      writeFileSync(join(stage.cwd, "bare.txt"), "one\ntwo");
      const run = (text: string, callId: string) => command(`apply_patch <<'EOF'\n${text}EOF\n`, {}, { callId });
      stage.model.script(
        run(patch("*** Update File: crlf.txt", "@@", " one", "-two", "+2"), "call-1"),
        run(patch("*** Update File: bare.txt", "@@", " one", "-two", "+2"), "call-2"),
        run(patch("*** Update File: bare.txt", "@@", "-one", "+1"), "call-3"),
        command("od -c crlf.txt bare.txt", {}, { callId: "call-4" }),
        reply().text("done"),
      );
      const peer = await stage.connect();
      const thread = await startThread(peer, open);
      await runTurn(peer, thread, "go");
    },
    differences: [
      {
        at: /^event item\/(started|completed) (fileChange params\.item\.changes\.diff|commandExecution params\.item\.aggregatedOutput)|^event turn\/diff\/updated params\.diff|^model input (lacks|adds): function_call_output .*call-4/,
        reason: "A file without a newline at its end is left without one; Codex adds it.",
      },
    ],
  },
];
