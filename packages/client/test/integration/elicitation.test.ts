import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type ClientWarning, type ElicitationRequest, policies } from "@quire/client";
import { type RecordedRequest, type Reply, reply } from "@quire/testkit";
import { sharedAsker } from "./shared-server.ts";
import { type Fixture, onEachCodex, spawned } from "./support.ts";

const server = fileURLToPath(new URL("../../test/integration/fixtures/mcp-server.mjs", import.meta.url));

/** What came of calls to the tools of the MCP server. */
interface Outcome {
  /** What each call gave; `book` gives the reply to its question. */
  readonly outputs: string[];
  readonly warnings: ClientWarning[];
}

const setup = { config: { "mcp_servers.restaurant": { command: process.execPath, args: [server] } } };

/** Has the model call tools of the MCP server, one after the other. */
async function call({ mock, client }: Fixture, ...tools: ("book" | "wipe")[]): Promise<Outcome> {
  const warnings: ClientWarning[] = [];
  client.on("warning", (warning) => warnings.push(warning));
  mock.script(
    ...tools.map((tool, index) => (request: RecordedRequest) => toolCall(request, tool, `call-${index}`)),
    reply().text("Done."),
  );
  const thread = await client.thread({ approvalPolicy: "on-request", sandbox: "workspace-write" });
  const { agentMessage, items } = await thread.run("go");
  assert.equal(agentMessage, "Done.");
  const outputs = items.flatMap((item) => {
    if (item.type !== "mcpToolCall") return [];
    const [part] = (item.result?.content ?? []) as { text?: string }[];
    return [part?.text ?? `failed: ${item.error?.message}`];
  });
  return { outputs, warnings };
}

/** Calls a tool as the server offers it: by one name up to 0.118, later in a namespace, with other names by version. */
function toolCall(request: RecordedRequest, tool: string, callId: string): Reply {
  const offered = request.tools().find((name) => name.startsWith("mcp__restaurant") && name.endsWith(tool));
  const [namespace, name] = offered?.split(".") ?? [];
  if (name !== undefined) return reply().functionCall(name, {}, { callId, ...(namespace && { namespace }) });
  // 0.166 defers the tools of servers: they are not on offer, but can be called.
  return namespace === undefined
    ? reply().functionCall(tool, {}, { callId, namespace: "mcp__restaurant" })
    : reply().functionCall(namespace, {}, { callId });
}

const parse = (output = "null"): unknown => JSON.parse(output);

// 0.98 does not pass elicitations on: the tool waits until its time is up.
await onEachCodex("elicitation", "0.111.0", (version) => {
  const asking = sharedAsker(version, setup);

  test("what an MCP server asks is shown, and it gets what the user fills in", async () => {
    const asked: ElicitationRequest[] = [];
    const onElicitation = (request: ElicitationRequest) => {
      asked.push(request);
      return request.accept({ guests: 4 });
    };
    const { outputs, warnings } = await call(asking({ onElicitation }), "book");
    assert.deepEqual(
      asked.map(({ serverName, mode, message, approvalKind }) => [serverName, mode, message, approvalKind]),
      [["restaurant", "form", "For how many?", undefined]],
    );
    assert.deepEqual(asked[0]?.form?.required, ["guests"]);
    assert.deepEqual(Object.keys(asked[0]?.form?.properties ?? {}), ["guests"]);
    assert.ok(asked[0]?.turnId);
    assert.deepEqual(parse(outputs[0]), { action: "accept", content: { guests: 4 } });
    assert.deepEqual(warnings, []);
  });

  test("the MCP server learns whether the user declined or put it away", async () => {
    for (const action of ["decline", "cancel"] as const) {
      const { outputs, warnings } = await call(asking({ onElicitation: () => action }), "book");
      assert.deepEqual(parse(outputs[0]), { action });
      assert.deepEqual(warnings, []);
    }
  });

  test("where nobody answers it is declined with a warning, and the turn goes on", async () => {
    await using fixture = await spawned(version, {}, setup);
    const { outputs, warnings } = await call(fixture, "book");
    assert.deepEqual(parse(outputs[0]), { action: "decline" });
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ["declined"],
    );
    assert.match(warnings[0]?.message ?? "", /set onElicitation/);
  });

  test("a destructive tool runs only when it is approved, and each time anew", async () => {
    const kinds: unknown[] = [];
    const decide = (action: "accept" | "decline") => (request: ElicitationRequest) => {
      kinds.push(request.approvalKind);
      assert.match(request.message, /restaurant.*wipe/);
      return action;
    };
    const accepted = await call(asking({ onElicitation: decide("accept") }), "wipe", "wipe");
    for (const output of accepted.outputs) assert.match(output, /all gone/);
    assert.deepEqual(kinds, ["mcp_tool_call", "mcp_tool_call"]);
    const declined = await call(asking({ onElicitation: decide("decline") }), "wipe");
    assert.match(declined.outputs[0] ?? "", /^failed: /);
  });

  test("a destructive tool that was approved for the session is not asked about again", async () => {
    let asked = 0;
    const onElicitation = (request: ElicitationRequest) => {
      asked++;
      return request.accept({}, { persist: "session" });
    };
    const { outputs } = await call(asking({ onElicitation }), "wipe", "wipe");
    for (const output of outputs) assert.match(output, /all gone/);
    assert.equal(asked, 1);
  });

  test("policies decide without a user: tools by the policy, forms that need more than defaults never", async () => {
    const accepted = await call(asking(policies.acceptAll), "wipe", "book");
    assert.match(accepted.outputs[0] ?? "", /all gone/);
    assert.deepEqual(parse(accepted.outputs[1]), { action: "decline" });
    const refused = await call(asking(policies.nonInteractive), "wipe", "book");
    assert.match(refused.outputs[0] ?? "", /^failed: /);
    assert.deepEqual(parse(refused.outputs[1]), { action: "decline" });
    assert.deepEqual([...accepted.warnings, ...refused.warnings], []);
  });
});
