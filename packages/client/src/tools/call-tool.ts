import type { DynamicToolCallParams, DynamicToolCallResponse } from "@quire/protocol";
import { failureMessage } from "../lib/failure-message.ts";
import { untilAborted } from "../lib/until-aborted.ts";
import { formatIssues } from "../schema/issue.ts";
import { validate } from "../schema/validate.ts";
import type { Tool } from "./tool.ts";
import { textItem, toContentItems } from "./tool-output.ts";

/**
 * Answers `item/tool/call`. It never rejects: an unknown tool, arguments that do not fit, and whatever the tool throws
 * become the message that the model reads. It settles at once when the signal is aborted.
 */
export async function callTool(
  tools: Iterable<Tool>,
  params: DynamicToolCallParams,
  signal: AbortSignal,
): Promise<DynamicToolCallResponse> {
  const all = [...tools];
  const tool = findTool(all, params);
  if (tool === undefined) return failure(unsupported(all, params));
  try {
    return await untilAborted(runTool(tool, params, signal), signal);
  } catch (error) {
    return failure(failureMessage(error));
  }
}

async function runTool(
  tool: Tool,
  { arguments: input, callId, threadId, turnId }: DynamicToolCallParams,
  signal: AbortSignal,
): Promise<DynamicToolCallResponse> {
  const verdict = await validate(tool.input, input);
  if (!verdict.ok) return failure(`Invalid arguments for tool "${tool.name}":\n${formatIssues(verdict.issues)}`);
  signal.throwIfAborted();
  const output = await tool.run(verdict.value, { signal, callId, threadId, turnId });
  return { success: true, contentItems: toContentItems(output) };
}

/** A server that knows no namespaces names the tool alone. */
function findTool(tools: readonly Tool[], { tool: name, namespace }: DynamicToolCallParams): Tool | undefined {
  const named = tools.filter((tool) => tool.name === name);
  const exact = named.find((tool) => tool.namespace?.name === (namespace ?? undefined));
  return exact ?? (namespace == null ? named[0] : undefined);
}

function unsupported(tools: readonly Tool[], { tool, namespace }: DynamicToolCallParams): string {
  const full = namespace == null ? tool : `${namespace}.${tool}`;
  const known = tools.map(({ name, namespace: group }) => (group === undefined ? name : `${group.name}.${name}`));
  const rest = known.length === 0 ? "there are none" : `supported are ${known.join(", ")}`;
  return `Unsupported dynamic tool "${full}": ${rest}`;
}

const failure = (text: string): DynamicToolCallResponse => ({ success: false, contentItems: [textItem(text)] });
