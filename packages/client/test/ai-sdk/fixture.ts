import assert from "node:assert/strict";
import { CodexClient } from "@quire/client";
import { type CodexModelSettings, type CodexProvider, createCodex } from "@quire/client/ai-sdk";
import { type ScriptedServer, scriptedServer, type TurnStep } from "@quire/testkit";
import { type ToolSet, tool } from "ai";
import { z } from "zod";

/** A scripted server and a provider on it. */
export interface Fixture extends AsyncDisposable {
  readonly server: ScriptedServer;
  readonly client: CodexClient;
  readonly codex: CodexProvider;
}

export async function fixture(settings?: CodexModelSettings): Promise<Fixture> {
  const server = scriptedServer();
  server.on("thread/unsubscribe", { status: "unsubscribed" }).on("thread/inject_items", {});
  const client = new CodexClient({ transport: server.transport });
  const codex = createCodex({ client, settings });
  return {
    server,
    client,
    codex,
    async [Symbol.asyncDispose]() {
      await codex.close();
      await client.close();
      await server.close();
    },
  };
}

/** Params of the calls of a method, as the server got them. */
export function paramsOf(server: ScriptedServer, method: string): Record<string, unknown>[] {
  return server.received
    .filter((message) => message.method === method)
    .map((message) => message.params as Record<string, unknown>);
}

/** Params of one call of a method; the first is 0. */
export function sent<T = Record<string, unknown>>(server: ScriptedServer, method: string, index = 0): T {
  const params = paramsOf(server, method)[index];
  assert.ok(params, `there was no ${method} with index ${index}`);
  return params as T;
}

/** Params of `turn/start`, as far as tests look at them. */
export interface Started {
  readonly threadId: string;
  readonly input: readonly { readonly type: string; readonly text: string }[];
  readonly outputSchema?: { readonly required: readonly string[]; readonly additionalProperties: boolean };
}

/** What the server is told of a tool's call. */
export interface ToolReply {
  readonly success: boolean;
  readonly contentItems: readonly { readonly type: string; readonly text?: string; readonly imageUrl?: string }[];
}

/** A step of a turn in which the model calls a tool. */
export function call(callId: string, toolName: string, args: object): TurnStep {
  return { type: "request", method: "item/tool/call", params: { callId, tool: toolName, arguments: args } };
}

/** A call of the tool `weather` outside of a script, so that several can be under way at once; gives the answer. */
export function callNow(server: ScriptedServer, callId: string, args: object): Promise<ToolReply> {
  const { threadId } = sent<Started>(server, "turn/start");
  const params = { threadId, turnId: "t", callId, tool: "weather", arguments: args };
  return server.request("item/tool/call", params) as Promise<ToolReply>;
}

/** A tool that the AI SDK cannot run: somebody else will bring its result. The SDK's types refuse one in exact mode. */
export function withoutExecute(): ToolSet[string] {
  return tool({ inputSchema: z.object({ city: z.string().optional() }) }) as unknown as ToolSet[string];
}

/** All that a stream brings. */
export async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const parts: T[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}
