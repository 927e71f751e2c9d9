import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import { keptAnswer } from "../../lib/shared-differences.ts";
import { answerBegins, beginTurn, runTurn } from "../../lib/steps.ts";
import { runs, withHooks } from "./with-hooks.ts";

const prints = (value: object): string => `cat > /dev/null; echo '${JSON.stringify(value)}'`;
const specific = (hookEventName: string, more: object): object => ({ hookSpecificOutput: { hookEventName, ...more } });

/** Hooks: commands of the user's at points of a turn. */
export const hooks: readonly Scenario[] = [
  {
    name: "hooks/list",
    covers: "`hooks/list`: where hooks come from, what is wrong with some, and which are trusted",
    run: async (stage) => {
      const handler = { type: "command", command: "true", timeout: 9, statusMessage: "busy" };
      const names = ["PreToolUse", "Stop", "SessionEnd", "Interrupt", "PreModelRequest", "SubagentStop", "NoSuchEvent"];
      const events = Object.fromEntries(names.map((name) => [name, [{ matcher: "Bash|Edit", hooks: [handler] }]]));
      writeFileSync(join(stage.home, "hooks.json"), JSON.stringify({ hooks: events }));
      const peer = await stage.connect();
      const { data } = await peer.result("hooks/list", { cwds: [stage.cwd] });
      const [first, second] = data.flatMap((entry) => entry.hooks);
      const value = {
        [first?.key ?? ""]: { trusted_hash: first?.currentHash },
        [second?.key ?? ""]: { trusted_hash: "sha256:of something else", enabled: false },
      };
      await peer.probe("config/value/write", { keyPath: "hooks.state", value, mergeStrategy: "upsert" });
      await peer.request("hooks/list", { cwds: [stage.cwd] });
      writeFileSync(join(stage.home, "hooks.json"), "{nonsense");
      stage.observe("warnings", (await peer.probe("hooks/list", { cwds: [stage.cwd] }))?.data[0]?.warnings.length);
    },
  },
  {
    name: "hooks/context",
    covers: "Hooks that tell the model something when a session begins, for a prompt, before and after a tool",
    run: async (stage) => {
      const { peer, thread } = await withHooks(stage, {
        SessionStart: { command: "echo of the session", matcher: "startup" },
        UserPromptSubmit: {
          command: prints({
            ...specific("UserPromptSubmit", { additionalContext: "of the prompt" }),
            systemMessage: "seen",
          }),
          statusMessage: "looking",
        },
        PreToolUse: { command: prints(specific("PreToolUse", { additionalContext: "of the call" })), matcher: "Bash" },
        PostToolUse: {
          command: prints(specific("PostToolUse", { additionalContext: "of the answer" })),
          matcher: "^Ba",
        },
        PermissionRequest: { command: "true", matcher: "Edit" },
      });
      runs(stage);
      await runTurn(peer, thread, "go");
      await runTurn(peer, thread, "again");
    },
    quotes: ["of the session", "of the prompt", "of the call", "of the answer"],
  },
  {
    name: "hooks/input",
    covers: "What hooks are told on their standard input",
    run: async (stage) => {
      const names = ["SessionStart", "UserPromptSubmit", "PreModelRequest", "PostModelRequest", "PreToolUse"];
      const all = [...names, "PostToolUse", "Stop", "PreCompact", "PostCompact"];
      const note = { command: `cat >> "$HOME/told"; echo >> "$HOME/told"` };
      const { peer, thread } = await withHooks(stage, Object.fromEntries(all.map((name) => [name, note])));
      runs(stage);
      await runTurn(peer, thread, "go");
      await peer.request("thread/compact/start", { threadId: thread.id });
      await peer.waitFor("turn/completed");
      const told = await Bun.file(join(stage.home, "..", "told")).text();
      for (const line of told.trim().split("\n")) stage.observe("told", JSON.parse(line));
    },
    differences: [
      {
        at: /^model input|^model /,
        reason:
          "After a compaction the context still stands at the head of the history; Codex puts it before the newest message.",
      },
    ],
  },
  {
    name: "hooks/model-request-refused",
    covers: "What a hook says before a request to the model: by its exit code, as a decision, and to end the turn",
    run: async (stage) => {
      const words = [
        "echo no >&2; exit 2",
        prints({ decision: "block", reason: "not now" }),
        prints({ continue: false, stopReason: "enough" }),
      ];
      const script = words.map((command, index) => `if [ -e "$HOME/round-${index}" ]; then ${command}; fi`).join("; ");
      const { peer, thread } = await withHooks(stage, { PreModelRequest: { command: script } });
      for (const [index] of words.entries()) {
        const mark = join(stage.home, "..", `round-${index}`);
        writeFileSync(mark, "");
        await runTurn(peer, thread, `round ${index}`);
        rmSync(mark);
      }
    },
  },
  {
    name: "hooks/prompt-refused",
    covers: "A prompt that a hook refuses, or at which it ends the turn, does not reach the model",
    run: async (stage) => {
      const script = `if grep -q '"prompt":"first"'; then echo no >&2; exit 2; else ${prints({ continue: false, stopReason: "enough" })}; fi`;
      const { peer, thread } = await withHooks(stage, { UserPromptSubmit: { command: script } });
      await runTurn(peer, thread, "first");
      await runTurn(peer, thread, "second");
    },
  },
  {
    name: "hooks/tool-refused",
    covers: "A call that a hook refuses, with the reason for the model",
    run: async (stage) => {
      const decision = { permissionDecision: "deny", permissionDecisionReason: "not that" };
      const { peer, thread } = await withHooks(stage, {
        PreToolUse: { command: prints(specific("PreToolUse", decision)) },
      });
      runs(stage);
      await runTurn(peer, thread, "go");
    },
  },
  {
    name: "hooks/tool-changed",
    covers: "A hook that changes a call's arguments, and one that puts its words in the place of the answer",
    run: async (stage) => {
      const changed = { permissionDecision: "allow", updatedInput: { command: "echo changed" } };
      const { peer, thread } = await withHooks(stage, {
        PreToolUse: { command: prints(specific("PreToolUse", changed)) },
        PostToolUse: { command: prints({ decision: "block", reason: "look again" }) },
      });
      runs(stage);
      await runTurn(peer, thread, "go");
    },
  },
  {
    name: "hooks/stop",
    covers: "A hook that has the model go on when it wants to end",
    run: async (stage) => {
      const go = prints({ decision: "block", reason: "keep <going>" });
      const script = `if grep -q '"stop_hook_active":true'; then exit 0; else ${go.replace("cat > /dev/null; ", "")}; fi`;
      const { peer, thread } = await withHooks(stage, { Stop: { command: script } });
      stage.model.script(reply().text("done"), reply().text("really done"));
      await runTurn(peer, thread, "go");
      await peer.request("thread/read", { threadId: thread.id, includeTurns: true });
    },
  },
  {
    name: "hooks/failures",
    covers: "Hooks that fail, take too long, or print nonsense stop nothing",
    run: async (stage) => {
      const { peer, thread } = await withHooks(stage, {
        UserPromptSubmit: { command: "exit 3" },
        PreToolUse: { command: "sleep 30", timeout: 1 },
        PostToolUse: { command: "echo '{nonsense'" },
        Stop: { command: "no-such-command-there-is" },
      });
      runs(stage);
      await runTurn(peer, thread, "go");
    },
  },
  {
    name: "hooks/permission",
    covers: "A hook that permits a command, so that nobody is asked",
    run: async (stage) => {
      const allow = prints(specific("PermissionRequest", { decision: { behavior: "allow" } }));
      const asked = { sandbox: "read-only", approvalPolicy: "untrusted" };
      const { peer, thread } = await withHooks(stage, { PermissionRequest: { command: allow } }, asked);
      runs(stage, "sleep 0");
      await runTurn(peer, thread, "go");
    },
  },
  {
    name: "hooks/permission-refused",
    covers: "A hook that refuses a command about which a user would be asked",
    run: async (stage) => {
      const deny = prints(specific("PermissionRequest", { decision: { behavior: "deny", message: "no way" } }));
      const asked = { sandbox: "read-only", approvalPolicy: "untrusted" };
      const { peer, thread } = await withHooks(stage, { PermissionRequest: { command: deny } }, asked);
      runs(stage, "touch made");
      await runTurn(peer, thread, "go");
    },
  },
  {
    name: "hooks/ends",
    covers: "Hooks at an interrupt and at the end of a session",
    run: async (stage) => {
      const { peer, thread } = await withHooks(stage, {
        Interrupt: { command: "true" },
        SessionEnd: { command: "true" },
      });
      stage.model.script(
        reply()
          .text("x")
          .gate(new Promise(() => {})),
      );
      const { id } = await beginTurn(peer, thread, "go");
      await answerBegins(peer, "x");
      await peer.request("turn/interrupt", { threadId: thread.id, turnId: id });
      await peer.waitFor("turn/completed");
      await peer.request("thread/archive", { threadId: thread.id });
      await peer.waitFor("thread/archived");
    },
    // The real server marks what was interrupted as unread, or not, as it happens.
    erratic: ["thread/readState/changed"],
    differences: [
      keptAnswer,
      {
        at: /^event (adds|lacks): hook\/(started|completed)/,
        reason: "A hook that runs when a thread is unloaded belongs to no turn; Codex names one that there never was.",
      },
    ],
  },
];
