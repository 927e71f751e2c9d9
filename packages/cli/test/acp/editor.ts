import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";

/** The part of the protocol's own SDK that is used here. It checks every message by its schemas. */
interface Sdk {
  client(): ClientApp;
  ndJsonStream(output: unknown, input: unknown): object;
}

interface ClientApp {
  onRequest(method: string, handle: (context: { readonly params: PermissionRequest }) => unknown): ClientApp;
  onNotification(
    method: string,
    handle: (context: { readonly params: { readonly update: Update } }) => void,
  ): ClientApp;
  connect(stream: object): { readonly agent: Agent };
}

/** The agent as an editor sees it. */
export interface Agent {
  request<T>(method: string, params: object): Promise<T>;
  notify(method: string, params: object): Promise<void>;
}

/** A message of the agent about a session. */
export interface Update {
  readonly sessionUpdate: string;
  readonly [field: string]: unknown;
}

/** A question of the agent. */
export interface PermissionRequest {
  readonly toolCall: { readonly title?: string; readonly content?: readonly Readonly<Record<string, unknown>>[] };
  readonly options: readonly { readonly optionId: string; readonly kind: string }[];
}

const cache = process.env.QUIRE_CACHE ?? join(import.meta.dirname, "..", "..", "..", "..", ".cache");
const sdkFile = join(cache, "stock-clients/node_modules/@agentclientprotocol/sdk/dist/v1/stable/acp.js");

/** Starts an agent as an editor does, with the client of the protocol's own SDK. */
export async function editor(command: readonly string[], options: { cwd: string; env: Record<string, string> }) {
  const sdk = (await import(sdkFile)) as Sdk;
  const [program = "", ...args] = command;
  const child = spawn(program, args, { ...options, stdio: ["pipe", "pipe", "inherit"] });
  const updates: Update[] = [];
  const asked: PermissionRequest[] = [];
  const state = { decide: (_: PermissionRequest): string | undefined => "decline", updated: (_: Update): void => {} };
  const app = sdk
    .client()
    .onRequest("session/request_permission", ({ params }) => {
      asked.push(params);
      const optionId = state.decide(params);
      return { outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
    })
    .onNotification("session/update", ({ params }) => {
      updates.push(params.update);
      state.updated(params.update);
    });
  const { agent } = app.connect(sdk.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)));
  const text = (kind: string) =>
    updates
      .filter(({ sessionUpdate }) => sessionUpdate === kind)
      .map(({ content }) => (content as { text: string }).text)
      .join("");
  return {
    agent,
    updates,
    asked,
    state,
    text,
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.stdin.end();
      await ended;
    },
  };
}
