import type { Handlers } from "../../context/processor.ts";
import { coreOf } from "../../features/open-core.ts";
import { invalidRequest } from "../../lib/rpc-errors.ts";
import { message, text } from "../../prompt/message.ts";

/** The user's corrections of reviews. */
export const handlers: Handlers = {
  "thread/approveGuardianDeniedAction": ({ threadId, event }, { server }) => {
    const thread = coreOf(server).threads.require(threadId);
    const { status, action } = readDenial(event);
    // Approving what was not denied changes nothing.
    if (status === "denied") thread.inject([message("developer", [text(approval(action))])]);
    return {};
  },

  "thread/guardianReview": async ({ threadId }, { server, signal }) => {
    const thread = coreOf(server).threads.require(threadId);
    const { assessCall } = await import("../../features/guardian/assess-call.ts");
    return assessCall(thread, signal);
  },
};

/** Required fields of each kind of action. */
const required: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<readonly string[]>({
    command: ["source", "command", "cwd"],
    execve: ["source", "program", "argv", "cwd"],
    apply_patch: ["cwd", "files"],
  }),
);

function readDenial(value: unknown): { readonly status: unknown; readonly action: object } {
  const event = fields(value);
  for (const name of ["id", "status", "action"]) need(event, name);
  const action = fields(event.action);
  need(action, "type");
  for (const name of required.get(String(action.type)) ?? []) need(action, name);
  return { status: event.status, action };
}

function need(value: Readonly<Record<string, unknown>>, name: string): void {
  if (value[name] === undefined) throw invalidRequest(`invalid Guardian denial event: missing field \`${name}\``);
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalidRequest("invalid Guardian denial event: an object is expected");
}

function approval(action: object): string {
  return `The user has approved an action that was denied before. It may be carried out now, exactly as it stands here and for the same purpose; nothing else is approved by this.

${JSON.stringify({ action, outcome: "allowed" }, null, 2)}`;
}
