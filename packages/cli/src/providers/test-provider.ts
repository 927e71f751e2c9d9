import { failureMessage } from "@quire/client/link";
import type { Link } from "../exec/link.ts";

/** The result of a test. */
export interface TestResult {
  readonly provider: string;
  readonly model: string;
  /** Number of models that it lists; an error's words if it lists none. */
  readonly models: number | string;
  /** An error's words if the turn failed. */
  readonly turn: true | string;
  readonly toolCall: boolean;
  readonly streaming: boolean;
  /** The likely cause of a failed turn, and its remedy. */
  readonly hint?: string | undefined;
}

const tool = {
  type: "function",
  name: "add_numbers",
  description: "Adds two numbers.",
  inputSchema: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
} as const;

/** Nothing that a test needs no tools for. */
const bare = {
  "features.shell_tool": false,
  "features.multi_agent": false,
  "features.goals": false,
  "features.view_image": false,
  "tools.experimental_request_user_input.enabled": false,
  web_search: "disabled",
  project_doc_max_bytes: 0,
  mcp_servers: {},
};

/** Runs one small turn with a tool on a provider. Nothing of it is stored. */
export async function testProvider(link: Link, provider: string, wanted: string | undefined): Promise<TestResult> {
  const { data } = await link.connection.request("modelProvider/list", {});
  const { models, first } = await listed(link, provider);
  const model = wanted ?? (await defaultModel(link, provider)) ?? first;
  if (model === undefined)
    throw new Error(`No model is known for ${provider}: pass --model MODEL. (${String(models)})`);
  const seen = { toolCall: false, deltas: 0 };
  const { thread } = await link.connection.request("thread/start", {
    modelProvider: provider,
    model,
    ephemeral: true,
    sandbox: "read-only",
    approvalPolicy: "never",
    baseInstructions: "You are being tested. Do exactly what you are asked, in few words.",
    dynamicTools: [tool],
    config: { ...bare, ...(data.some(({ id, canEdit }) => id === provider && canEdit) && oneRetry(provider)) },
  } as never);
  const ended = new Promise<true | string>((resolve) => {
    link.follow((notification) => {
      const { method, params } = notification;
      if (method === "item/agentMessage/delta") seen.deltas++;
      if (method === "item/started" && params.item.type === "dynamicToolCall") seen.toolCall = true;
      if (method !== "turn/completed" || params.threadId !== thread.id) return;
      const { status, error } = params.turn;
      resolve(status === "completed" ? true : (error?.message ?? status));
    });
  });
  const text = "Call the tool add_numbers with 19 and 23. Then say the sum in one sentence of five words or more.";
  await link.connection.request("turn/start", {
    threadId: thread.id,
    input: [{ type: "text", text, text_elements: [] }],
  });
  const turn = await ended;
  const hint = turn === true ? undefined : hintFor(provider, turn);
  return { provider, model, models, turn, toolCall: seen.toolCall, streaming: seen.deltas > 1, ...(hint && { hint }) };
}

/** A test is for somebody who waits: what fails twice is told. */
function oneRetry(provider: string): object {
  const at = `model_providers.${JSON.stringify(provider)}`;
  return { [`${at}.request_max_retries`]: 1, [`${at}.stream_max_retries`]: 0 };
}

function hintFor(provider: string, said: string): string | undefined {
  if (!/status 40[45]\b.*\/responses/s.test(said)) return undefined;
  return `The endpoint may have no Responses API. Set wire_api = "chat" in [model_providers.${provider}], and test again.`;
}

async function listed(link: Link, provider: string): Promise<{ models: number | string; first?: string | undefined }> {
  try {
    const answer = await link.connection.request("modelProvider/list", { modelsOf: provider });
    const { models = [] } = answer as { readonly models?: readonly { readonly id: string }[] };
    return { models: models.length, first: models[0]?.id };
  } catch (error) {
    if (isUnknown(error)) throw new Error(`There is no provider '${provider}'. See: quire providers list`);
    return { models: failureMessage(error) };
  }
}

function isUnknown(error: unknown): boolean {
  const { data } = Object(error) as { readonly data?: { readonly type?: unknown } };
  return data?.type === "modelProviderNotConfigured";
}

async function defaultModel({ connection }: Link, provider: string): Promise<string | undefined> {
  const { config } = await connection.request("config/read", { cwd: process.cwd(), includeLayers: false });
  return config.model_provider === provider ? (config.model ?? undefined) : undefined;
}

/** Answers the tool's calls. */
export function answerTest(method: string, params: unknown): unknown {
  if (method !== "item/tool/call") throw new Error(`${method} is not expected in a test`);
  const { arguments: args } = params as { readonly arguments?: { readonly a?: unknown; readonly b?: unknown } };
  const text = String(Number(args?.a) + Number(args?.b));
  return { contentItems: [{ type: "inputText", text }], success: true };
}
