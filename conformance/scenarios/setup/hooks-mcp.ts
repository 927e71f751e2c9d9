import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Scenario } from "../../lib/scenario.ts";
import type { Stage } from "../../lib/stage.ts";
import { runTurn } from "../../lib/steps.ts";
import { type HookSetup, runs, withHooks } from "./with-hooks.ts";

/** An MCP server whose tool `say` answers with the text it is given, and whose tool `fail` fails with it. */
const sayingServer = `
const { createInterface } = require("node:readline");
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize")
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } } });
  else if (method === "tools/list")
    send({ id, result: { tools: ["say", "fail"].map((name) => ({ name, inputSchema: { type: "object" } })) } });
  else if (method === "tools/call")
    send({ id, result: { content: [{ type: "text", text: params.arguments.text }], isError: params.name === "fail" } });
  else if (id !== undefined) send({ id, error: { code: -32601, message: "no such method" } });
});
`;

/** Sets the server up as one of the user's. */
function addSayingServer(stage: Stage): void {
  const path = join(stage.home, "saying.cjs");
  writeFileSync(path, sayingServer);
  const table = [
    "",
    "[mcp_servers.s]",
    `command = ${JSON.stringify(process.execPath)}`,
    `args = [${JSON.stringify(path)}]`,
  ];
  appendFileSync(join(stage.home, "config.toml"), `${table.join("\n")}\n`);
}

const says = (text: string, more: object = {}): HookSetup => ({
  type: "mcp_tool",
  server: "s",
  tool: "say",
  input: { text },
  ...more,
});

/** Hooks that call a tool of an MCP server. */
export const hooksMcp: readonly Scenario[] = [
  {
    name: "hooks/mcp-tool",
    covers: "Hooks that call a tool of an MCP server: what it is told, what its answer does, and how it fails",
    erratic: ["mcpServer/startupStatus/updated"],
    run: async (stage) => {
      addSayingServer(stage);
      runs(stage);
      const { peer, thread } = await withHooks(stage, {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: these are the hook's own places.
        SessionStart: says("${hook_event_name} by ${source}"),
        // biome-ignore lint/suspicious/noTemplateCurlyInString: as above.
        UserPromptSubmit: says("${prompt}", { statusMessage: "asking" }),
        PreToolUse: says(JSON.stringify({ decision: "block", reason: "not that" })),
        // biome-ignore lint/suspicious/noTemplateCurlyInString: as above.
        Stop: says("${no.such.place}"),
      });
      await runTurn(peer, thread, "go");
    },
  },
  {
    name: "hooks/mcp-tool-fails",
    covers: "Hooks whose tool fails, or whose server there is none of",
    erratic: ["mcpServer/startupStatus/updated"],
    differences: [
      {
        at: "event hook/completed params.run.entries.text",
        reason: "Why a hook's tool could not be called is said in Quire's own words.",
      },
    ],
    run: async (stage) => {
      addSayingServer(stage);
      runs(stage);
      const { peer, thread } = await withHooks(stage, {
        UserPromptSubmit: says("it broke", { tool: "fail" }),
        PostToolUse: says("x", { server: "nowhere" }),
      });
      await runTurn(peer, thread, "go");
    },
  },
];
