import {
  type AgentClientConfig,
  CodexAgent,
  type CodexAgentOptions,
  definePrompt,
  markdown,
  type Tool,
} from "@quire/agent";
import { type ScriptedServer, scriptedServer, type TurnStep } from "@quire/testkit";

/** An agent whose every evaluation talks to a scripted server of its own. */
export interface Stage {
  readonly agent: CodexAgent;
  /** The servers so far, oldest first. */
  readonly servers: readonly ScriptedServer[];
  /** The newest. */
  readonly server: ScriptedServer;
}

/** What a stage is set up with. */
export interface StageOptions extends Omit<CodexAgentOptions, "client"> {
  readonly client?: AgentClientConfig;
}

/** @param script Sets up each server before it is used. */
export function stage(
  script: (server: ScriptedServer, index: number) => void = () => {},
  options: StageOptions = {},
): Stage {
  const servers: ScriptedServer[] = [];
  const transport = () => {
    const server = scriptedServer();
    script(server, servers.length);
    servers.push(server);
    return server.transport;
  };
  const agent = new CodexAgent({ ...options, client: { transport, ...options.client } });
  return {
    agent,
    servers,
    get server() {
      const last = servers.at(-1);
      if (!last) throw new Error("No evaluation has begun");
      return last;
    },
  };
}

/** A prompt that says one sentence. */
export const hello = definePrompt({
  ns: "test",
  key: "hello",
  sections: [markdown({ key: "task", title: "Task", template: "Say hello." })],
});

/** A prompt with tools. */
export function promptWith(...tools: readonly Tool[]) {
  return definePrompt({
    ns: "test",
    key: "tools",
    sections: [markdown({ key: "task", title: "Task", template: "Use the tools.", tools })],
  });
}

/** A step in which the server calls one of the prompt's tools. */
export function toolCall(tool: string, args: unknown = {}, callId = `call-${tool}`): TurnStep {
  return { type: "request", method: "item/tool/call", params: { tool, arguments: args, callId, namespace: null } };
}

/** The params of the `index`th call of a method. */
export async function paramsOf(server: ScriptedServer, method: string, index = 0): Promise<Record<string, unknown>> {
  return (await server.waitFor(method, index)).params as Record<string, unknown>;
}

/** Settles a promise that is expected to reject, and gives the error. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("It should have failed");
}
