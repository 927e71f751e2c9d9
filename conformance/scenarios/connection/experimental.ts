import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { eventually, gate, reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import { replyWords } from "../../lib/shared-differences.ts";
import { beginTurn, command, endOfTurn, requestEach, runTurn, startThread, unknownThread } from "../../lib/steps.ts";

function put(path: string, content: string | object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}

/** Methods of the experimental API that no other file covers. */
export const experimental: readonly Scenario[] = [
  {
    name: "experimental/sample",
    covers: "`thread/sample`: an answer to a thread's history that is not kept; cancelling one",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const { id: threadId } = thread;
      await peer.request("thread/sample", { threadId, expectedTurnId: unknownThread, prompt: "x" });
      stage.model.script(
        reply().text("one"),
        reply().text("sampled"),
        reply()
          .text("x")
          .gate(new Promise(() => {})),
      );
      const turn = await runTurn(peer, thread, "go");
      const sample = { threadId, expectedTurnId: turn.id, prompt: "what next?" };
      await requestEach(peer, "thread/sample", [{ ...sample, expectedTurnId: unknownThread }, sample]);
      await peer.request("thread/sample/cancel", { requestId: 99 });
      const slow = peer.begin("thread/sample", sample);
      await eventually(() => stage.model.requests.length >= 3);
      await peer.request("thread/sample/cancel", { requestId: slow });
      await peer.reply(slow);
      await runTurn(peer, thread, "go on");
    },
    differences: [replyWords],
  },
  {
    name: "experimental/sample-in-turn",
    covers:
      "`allowInProgressTurn` of `thread/sample`: an answer to what a running turn has so far; `interruptOnCancel`",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const { id: threadId } = thread;
      const hold = gate();
      const endless = reply().text("x");
      stage.model.script(
        command("true"),
        reply().text(["begun", hold]),
        reply().text("sampled"),
        endless.gate(new Promise(() => {})),
      );
      const { id: expectedTurnId } = await beginTurn(peer, thread, "go");
      await peer.waitFor("item/agentMessage/delta");
      const sample = { threadId, expectedTurnId, prompt: "what next?" };
      await requestEach(peer, "thread/sample", [sample, { ...sample, allowInProgressTurn: true }]);
      const slow = peer.begin("thread/sample", { ...sample, allowInProgressTurn: true, interruptOnCancel: true });
      await eventually(() => stage.model.requests.length >= 4);
      await peer.request("thread/sample/cancel", { requestId: slow });
      await peer.reply(slow);
      hold.open();
      await endOfTurn(peer, expectedTurnId);
    },
    differences: [replyWords],
  },
  {
    name: "experimental/prediction",
    covers: "`thread/prediction/request`, `thread/prediction/updated`: what the user may say next",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      stage.model.script(reply().text("one"), reply().text("Now test it"));
      const { id: sourceTurnId } = await runTurn(peer, thread, "go");
      await peer.request("thread/prediction/request", { threadId: thread.id, sourceTurnId });
    },
    differences: [
      {
        at: /^reply thread\/prediction\/request|^event adds: thread\/prediction\/updated|^model (requests|input|tool|flag)/,
        reason: "The model is asked what the user may say next; Codex answers that it does not implement this yet.",
      },
    ],
  },
  {
    name: "experimental/turn-settings",
    covers: "`turn/settings/update` without the feature, for no turn and for another",
    run: async (stage) => {
      const peer = await stage.connect();
      const { id: threadId } = await startThread(peer);
      await requestEach(peer, "turn/settings/update", [
        { threadId, turnId: unknownThread, model: "other" },
        { threadId: unknownThread, turnId: unknownThread },
      ]);
    },
  },
  {
    name: "experimental/turn-settings-feature",
    covers: "`turn/settings/update` for a turn that does not run",
    setup: { config: { "features.step_model_switching": true } },
    run: async (stage) => {
      const peer = await stage.connect();
      const { id: threadId } = await startThread(peer);
      await peer.request("turn/settings/update", { threadId, turnId: unknownThread, model: "other" });
    },
  },
  {
    name: "experimental/account-and-memory",
    covers:
      "`userVerification/*`, `accountSession/*`, `memory/*`, `thread/memory*`, `rollout/compress`, AWS and Google Cloud",
    run: async (stage) => {
      const peer = await stage.connect();
      await peer.request("userVerification/status", {});
      await peer.request("userVerification/enroll", {});
      await peer.request("userVerification/verify", { challenge: "x", title: "t", description: "d" });
      await peer.request("userVerification/delete", {});
      await peer.request("userVerification/cancel", { requestId: 1 });
      await peer.request("accountSession/list", {});
      await peer.request("accountSession/switch", { sessionId: "s", accountId: "a" });
      await peer.request("account/bedrock/discover", {});
      await peer.request("account/bedrock/checkGovCloudRequirements", {});
      await peer.request("account/gcp/setup", { projectId: "p" });
      await requestEach(peer, "memory/status", [{}, { minConsolidatedThreads: 3 }]);
      await peer.request("memory/reset");
      await peer.request("rollout/compress");
      await requestEach(peer, "mock/experimentalMethod", [{ value: "x" }, {}]);
      const { id: threadId } = await startThread(peer);
      await requestEach(peer, "thread/memory/read", [{ threadId }, { threadId: unknownThread }]);
      await requestEach(peer, "thread/memoryMode/set", [
        { threadId, mode: "disabled" },
        { threadId: unknownThread, mode: "enabled" },
        { threadId: (await startThread(peer, { ephemeral: true })).id, mode: "disabled" },
      ]);
      const stream = { threadId, server: "x", name: "n", arguments: {}, subscriptionId: "s" };
      await peer.request("mcpServer/event/stream/start", stream);
      await peer.request("mcpServer/event/stream/stop", { subscriptionId: "s" });
      const switches = [{ memories: true, nonsense: true }, { apps: true }, { goals: false }, {}];
      await requestEach(
        peer,
        "experimentalFeature/enablement/set",
        switches.map((enablement) => ({ enablement })),
      );
    },
    differences: [
      {
        at: "reply mcpServer/event/stream/start error.message",
        reason: "Events are had of any MCP server that offers them; Codex knows those of its vendor's apps alone.",
      },
    ],
  },
  {
    name: "experimental/environments",
    covers: "`environment/*`: this machine, one that is not known, and one that cannot be reached",
    run: async (stage) => {
      const peer = await stage.connect();
      const ids = ["local", "x"].map((environmentId) => ({ environmentId }));
      await requestEach(peer, "environment/status", ids);
      await requestEach(peer, "environment/info", ids);
      await peer.request("environment/add", { environmentId: "e", execServerUrl: "ws://127.0.0.1:1" });
      const unreachable = { environmentId: "e" };
      const { error, ...status } = (await peer.probe("environment/status", unreachable)) ?? {};
      stage.observe("status", [status, typeof error]);
      await peer.request("environment/info", unreachable);
    },
    differences: [replyWords],
  },
  {
    name: "experimental/external-agent",
    covers: "`externalAgentConfig/*`: what can be taken over from Claude Code, and taking it over",
    run: async (stage) => {
      const user = dirname(stage.home);
      const { cwd } = stage;
      mkdirSync(join(cwd, ".git"));
      put(join(user, ".claude/CLAUDE.md"), "Mine");
      put(join(user, ".claude/settings.json"), {
        env: { NAME: "value" },
        hooks: { Stop: [{ hooks: [{ type: "command", command: "true" }] }] },
      });
      put(join(user, ".claude/skills/one/SKILL.md"), "---\nname: one\ndescription: d\n---\nbody");
      put(join(user, ".claude/agents/two.md"), "---\nname: two\ndescription: reviews\n---\nYou review.");
      put(join(user, ".claude/commands/three.md"), "Do $ARGUMENTS");
      put(join(user, ".claude.json"), { mcpServers: { four: { command: "true", args: ["x"] } } });
      put(join(cwd, "CLAUDE.md"), "Of the project");
      put(join(cwd, ".mcp.json"), { mcpServers: { five: { type: "http", url: "https://example.com/mcp" } } });
      put(join(cwd, ".claude/commands/a/six.md"), "Do it");
      const said = (role: string, content: string) =>
        JSON.stringify({ type: role, cwd, timestamp: new Date().toISOString(), message: { role, content } });
      put(join(user, ".claude/projects/p/1.jsonl"), `${said("user", "hello")}\n${said("assistant", "hi")}\n`);
      const peer = await stage.connect();
      const { items } = await peer.result("externalAgentConfig/detect", { includeHome: true, cwds: [cwd] });
      await requestEach(peer, "externalAgentConfig/detect", [{}, { cwds: [cwd] }]);
      await requestEach(peer, "externalAgentConfig/import", [{ migrationItems: [] }, { migrationItems: items }]);
      const { itemTypeResults } = await peer.waitFor("externalAgentConfig/import/completed");
      const imported = itemTypeResults
        .flatMap(({ successes }) => successes)
        .find(({ itemType }) => itemType === "SESSIONS");
      const read = await peer.probe("thread/read", { threadId: imported?.target ?? "", includeTurns: true });
      stage.observe(
        "imported",
        read?.thread.turns.map((turn) => turn.items.map(({ type }) => type)),
      );
      await peer.request("externalAgentConfig/detect", { includeHome: true, cwds: [cwd] });
      await peer.request("externalAgentConfig/import/recordHistory", { providerId: "p", itemTypeResults: [] });
      await peer.request("externalAgentConfig/import/readHistories");
      await peer.request("skills/list", { cwds: [cwd] });
    },
    // The first look at the configuration may come after the import, and find settings in a project that nobody trusts.
    erratic: ["externalAgentConfig/import/progress", "skills/changed", "configWarning"],
    differences: [
      {
        at: /description$/,
        reason: "What can be taken over, and a command that has become a skill, is described in Quire's own words.",
      },
      {
        at: "seen: imported",
        reason: "A conversation that was taken over holds what was said, and no note of Codex's.",
      },
      { at: /^reply skills\/list/, reason: "Codex brings skills of its own." },
    ],
  },
];
