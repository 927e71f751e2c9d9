import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commitEverything } from "../../lib/git.ts";
import type { Scenario } from "../../lib/scenario.ts";
import { replyWords, warningWords } from "../../lib/shared-differences.ts";
import { requestEach, runTurn, startThread } from "../../lib/steps.ts";

/** Starting a thread: options, instructions, when it is stored. */
export const threadStart: readonly Scenario[] = [
  {
    name: "thread-start/plain",
    covers: "`thread/start` without options, and the thread that was never used",
    run: async (stage) => {
      const peer = await stage.connect();
      const { id } = await startThread(peer);
      await peer.request("thread/list", {});
      await peer.request("thread/loaded/list", {});
      await peer.request("thread/read", { threadId: id });
    },
  },
  {
    name: "thread-start/options",
    covers: "`thread/start` with every option",
    run: async (stage) => {
      const peer = await stage.connect();
      await startThread(peer, {
        model: "other-model",
        modelProvider: "mock",
        cwd: stage.cwd,
        approvalPolicy: "on-request",
        approvalsReviewer: "user",
        sandbox: "workspace-write",
        config: { model_reasoning_effort: "high" },
        personality: "friendly",
        serviceName: "svc",
        serviceTier: "flex",
        threadSource: "user",
        sessionStartSource: "startup",
        persistExtendedHistory: true,
        runtimeWorkspaceRoots: [stage.cwd],
      });
      await startThread(peer, { sandbox: "read-only", approvalPolicy: "untrusted" });
      await startThread(peer, { historyMode: "legacy" });
      await startThread(peer, { cwd: "/no/such/dir" });
      await startThread(peer, { cwd: "relative" });
    },
  },
  {
    name: "thread-start/refused",
    covers: "Configuration that cannot be loaded",
    run: async (stage) => {
      const peer = await stage.connect();
      await requestEach(peer, "thread/start", [{ modelProvider: "nope" }, { config: { model: 5 } }]);
    },
    differences: [replyWords],
  },
  {
    name: "thread-start/instructions",
    covers: "Base and developer instructions, `AGENTS.md` of home and project, personality, reasoning settings",
    quotes: ["BASE WORDS", "DEVELOPER WORDS", "GLOBAL RULES", "PROJECT RULES"],
    run: async (stage) => {
      writeFileSync(join(stage.cwd, "AGENTS.md"), "PROJECT RULES");
      writeFileSync(join(stage.home, "AGENTS.md"), "GLOBAL RULES");
      const peer = await stage.connect();
      const thread = await startThread(peer, {
        baseInstructions: "BASE WORDS",
        developerInstructions: "DEVELOPER WORDS",
        personality: "friendly",
        config: { model_reasoning_effort: "high", model_reasoning_summary: "detailed" },
      });
      await runTurn(peer, thread, "hello");
    },
  },
  {
    name: "thread-start/project-instructions",
    covers: "`AGENTS.md` from the project's root down to the folder, with overrides; git information",
    quotes: ["ROOT RULES", "OVERRIDE RULES", "SUB RULES", "DEEP RULES"],
    run: async (stage) => {
      const deep = join(stage.cwd, "sub", "deep");
      mkdirSync(deep, { recursive: true });
      writeFileSync(join(stage.cwd, "AGENTS.md"), "ROOT RULES");
      writeFileSync(join(stage.cwd, "sub", "AGENTS.override.md"), "OVERRIDE RULES");
      writeFileSync(join(stage.cwd, "sub", "AGENTS.md"), "SUB RULES");
      writeFileSync(join(deep, "AGENTS.md"), "DEEP RULES");
      commitEverything(stage.cwd);
      const peer = await stage.connect();
      const thread = await startThread(peer, { cwd: deep });
      await runTurn(peer, thread, "hello");
      await peer.request("thread/read", { threadId: thread.id });
    },
  },
  {
    name: "thread-start/config",
    covers: "`config` overrides: model, instructions, policies, the cap on project instructions",
    quotes: ["CONFIG DEVELOPER", "CONFIG BASE", "01234", "56789"],
    run: async (stage) => {
      writeFileSync(join(stage.cwd, "AGENTS.md"), "0123456789");
      const peer = await stage.connect();
      const thread = await startThread(peer, {
        config: {
          model: "config-model",
          model_reasoning_effort: "low",
          developer_instructions: "CONFIG DEVELOPER",
          instructions: "CONFIG BASE",
          project_doc_max_bytes: 5,
        },
      });
      await runTurn(peer, thread, "hello");
      await startThread(peer, { config: { approval_policy: "on-request", sandbox_mode: "read-only" } });
    },
    differences: [warningWords],
  },
  {
    name: "thread-start/ephemeral",
    covers: "A thread that leaves nothing on disk, and what it refuses",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer, { ephemeral: true });
      const threadId = thread.id;
      await runTurn(peer, thread, "hello");
      await peer.request("thread/list", {});
      await peer.request("thread/loaded/list", {});
      await requestEach(peer, "thread/read", [{ threadId }, { threadId, includeTurns: true }]);
      await peer.request("thread/name/set", { threadId, name: "x" });
      for (const method of ["turns/list", "items/list", "archive", "fork", "resume", "delete"]) {
        await peer.request(`thread/${method}`, { threadId });
      }
    },
    differences: [
      {
        at: "reply thread/items/list error",
        reason: "That a thread is ephemeral is said in the same words everywhere.",
      },
    ],
  },
];
