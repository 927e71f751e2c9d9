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
