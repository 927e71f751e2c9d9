import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assertNoProcesses, codexConfigToml, reply } from "@quire/testkit";
import { testServer } from "../support/test-server.ts";

/** An MCP server whose mood is its first argument. */
export const fixture: string = fileURLToPath(new URL("fixtures/server.mjs", import.meta.url));

/** Servers by name: a mood, and further keys of the row. */
type Servers = Readonly<Record<string, { readonly mood?: string; readonly [key: string]: unknown }>>;

function rows(servers: Servers): string {
  const lines = Object.entries(servers).map(([name, { mood, ...more }]) => {
    const keys = { ...(mood === undefined ? {} : { command: process.execPath, args: [fixture, mood] }), ...more };
    return [
      `[mcp_servers.${name}]`,
      ...Object.entries(keys).map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
    ].join("\n");
  });
  return lines.join("\n");
}

/** A server with a scripted model and these MCP servers; all that they start is gone in the end. */
export async function session(servers: Servers, env: Record<string, string> = {}) {
  const tag = `QUIRE_MCP_TEST=${crypto.randomUUID()}`;
  const tagged = (given: Servers) =>
    rows(
      Object.fromEntries(
        Object.entries(given).map(([name, row]) => [name, row.mood ? { env_vars: ["QUIRE_MCP_TEST"], ...row } : row]),
      ),
    );
  const server = await testServer({
    config: { toml: tagged(servers) },
    env: { QUIRE_MCP_TEST: tag.split("=")[1], ...env },
  });
  const { client, model, home } = server;
  const file = join(home, "config.toml");
  return {
    ...server,
    file,
    tag,
    write: (given: Servers) => writeFileSync(file, codexConfigToml({ baseUrl: model.url, toml: tagged(given) })),
    /** Has the model call a tool; gives the item and what the model was told. */
    use: async (threadId: string, name: string, args: object = {}, namespace = "mcp__srv") => {
      const callId = crypto.randomUUID();
      model.script(reply().functionCall(name, args, { callId, namespace }), reply().text("Done."));
      await client.turn(threadId);
      const item = client.completed(callId);
      const input = model.last?.body.input as { call_id?: string; type: string; output?: unknown }[];
      const told = input.find((each) => each.call_id === callId && each.type === "function_call_output")?.output;
      return { item, told: JSON.stringify(told) };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await assertNoProcesses({ tag });
    },
  };
}

/** What has a thread ask nobody. */
export const full = { approvalPolicy: "never", sandbox: "danger-full-access" };
