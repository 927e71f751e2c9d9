import { join } from "node:path";
import { reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import { runTurn, startThread } from "../../lib/steps.ts";

const program = join(import.meta.dirname, "..", "..", "lib", "mcp-server.mjs");
const toml = `[mcp_servers.small]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(program)}]\n`;

/** MCP servers: what users are asked about their tools, and reading their resources. */
export const mcp: readonly Scenario[] = [
  {
    name: "mcp/approval",
    covers: "A tool that destroys is asked about, with its name, its title and what it says of itself",
    setup: { toml },
    run: async (stage) => {
      const peer = await stage.connect();
      peer.answer("mcpServer/elicitation/request", () => ({ action: "decline", content: null }));
      const thread = await startThread(peer, { approvalPolicy: "on-request", sandbox: "workspace-write" });
      await peer.waitFor("mcpServer/startupStatus/updated", ({ status }) => status === "ready");
      const call = (name: string, callId: string) =>
        reply().functionCall(name, { what: "x" }, { callId, namespace: "mcp__small" });
      stage.model.script(call("look", "call-1"), call("wipe", "call-2"), reply().text("done"));
      await runTurn(peer, thread, "go");
    },
  },
  {
    name: "mcp/approval-answers",
    covers: "Every answer to a question about a tool: once, for the session, no, cancelled, an error, nonsense",
    free: ["mcpServer/startupStatus/updated", "thread/started"],
    setup: { toml },
    run: async (stage) => {
      const peer = await stage.connect();
      const answers: (object | undefined)[] = [
        { action: "accept", content: null },
        { action: "decline", content: null },
        undefined,
        { action: "hm" },
        { action: "accept", content: null, _meta: { persist: "session" } },
      ];
      const answer = () => {
        const next = answers.shift();
        if (next === undefined) throw new Error("the client says no");
        return next;
      };
      peer.answer("mcpServer/elicitation/request", answer);
      const thread = await startThread(peer, { approvalPolicy: "on-request", sandbox: "workspace-write" });
      await peer.waitFor("mcpServer/startupStatus/updated", ({ status }) => status === "ready");
      const wipe = (callId: string) => reply().functionCall("wipe", { what: "x" }, { callId, namespace: "mcp__small" });
      stage.model.script(...[1, 2, 3, 4, 5, 6].map((n) => wipe(`call-${n}`)), reply().text("done"));
      await runTurn(peer, thread, "go");
      const second = await startThread(peer, { approvalPolicy: "on-request", sandbox: "workspace-write" });
      answers.push({ action: "cancel", content: null });
      stage.model.script(wipe("call-7"), reply().text("done"));
      await runTurn(peer, second, "go");
    },
  },
  {
    name: "mcp/elicitation-answers",
    covers:
      "A form of an MCP server: filled in, declined, cancelled, answered with an error, and where nobody may be asked",
    free: ["mcpServer/startupStatus/updated", "thread/started"],
    setup: { toml },
    run: async (stage) => {
      const peer = await stage.connect();
      const answers: (object | undefined)[] = [
        { action: "accept", content: { name: "Ann" } },
        { action: "decline", content: null },
        { action: "cancel", content: null },
        undefined,
      ];
      peer.answer("mcpServer/elicitation/request", () => {
        const next = answers.shift();
        if (next === undefined) throw new Error("the client says no");
        return next;
      });
      const asks = (callId: string) => reply().functionCall("ask", {}, { callId, namespace: "mcp__small" });
      const thread = await startThread(peer, { approvalPolicy: "on-request", sandbox: "workspace-write" });
      await peer.waitFor("mcpServer/startupStatus/updated", ({ status }) => status === "ready");
      stage.model.script(...[1, 2, 3, 4].map((n) => asks(`call-${n}`)), reply().text("done"));
      await runTurn(peer, thread, "go");
      stage.model.script(asks("call-5"), reply().text("done"));
      await runTurn(peer, await startThread(peer, { approvalPolicy: "never", sandbox: "workspace-write" }), "go");
    },
  },
  {
    name: "mcp/resource",
    covers: "`mcpServer/resource/read` hands `_meta` on to the server",
    setup: { toml },
    run: async (stage) => {
      const peer = await stage.connect();
      const { id: threadId } = await startThread(peer);
      await peer.waitFor("mcpServer/startupStatus/updated", ({ status }) => status === "ready");
      const asked = { threadId, server: "small", uri: "small://one" };
      await peer.request("mcpServer/resource/read", asked);
      await peer.request("mcpServer/resource/read", { ...asked, _meta: { own: "word" } });
    },
  },
];
