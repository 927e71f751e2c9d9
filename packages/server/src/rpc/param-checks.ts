import { experimentalUse, methodRow, scopeKey } from "@quire/protocol/methods";
import { validateParams } from "@quire/protocol/validate";
import { invalidRequest } from "../lib/rpc-errors.ts";

export { modernParams } from "./legacy-params.ts";

/** The queue in which a request waits its turn. */
export const orderKey: typeof scopeKey = scopeKey;

/** True when later requests of that queue wait for its result, false when only for its start. */
export const holdsQueue = (method: string): boolean => methodRow(method)?.scope?.until !== "started";

/** Refuses params that the protocol does not allow, and experimental parts for a client that did not ask for them. */
export function checkParams(method: string, params: unknown, experimental: boolean): void {
  const row = methodRow(method);
  // Methods of older versions are checked by their handlers.
  if (row === undefined) return;
  const isMissing = params === undefined || params === null;
  if (isMissing && row.params !== null && row.optional !== true && !documentedWithout.has(method)) {
    throw invalidRequest("Invalid request: missing field `params`");
  }
  const verdict = validateParams(
    method,
    withWatchId(method, forValidation(params ?? (row.params === null ? params : {}))),
  );
  if (!verdict.ok) throw invalidRequest(`Invalid request: ${words(verdict.issues[0])}`);
  if (!experimental) checkStable(method, params);
}

/** Refuses what is experimental. A list counts as used even when it is empty. */
export function checkStable(method: string, params: unknown): void {
  const fields = typeof params === "object" && params !== null ? (params as Readonly<Record<string, unknown>>) : {};
  const [used] = experimentalUse(method, params);
  const list = methodRow(method)?.experimentalFields?.find((field) => Array.isArray(fields[field]));
  const policy = fields.approvalPolicy;
  const granular = typeof policy === "object" && policy !== null ? "askForApproval.granular" : undefined;
  const use = used ?? (list === undefined ? granular : `${method}.${list}`);
  if (use !== undefined) throw invalidRequest(`${use} requires experimentalApi capability`);
}

function words(
  issue: { readonly path: string; readonly received: string; readonly message: string } | undefined,
): string {
  if (issue === undefined) return "the params do not fit";
  if (issue.received !== "undefined") return issue.message;
  return `missing field \`${issue.path.slice(issue.path.lastIndexOf(".") + 1)}\``;
}

const withType = (tool: unknown): unknown =>
  typeof tool === "object" && tool !== null && !("type" in tool) ? { ...tool, type: "function" } : tool;

/** Documented clients send no params at all. */
const documentedWithout: ReadonlySet<string> = new Set(["thread/loaded/list"]);

/** Values that 0.166 dropped are still accepted; its validator must not see them. */
const dropped: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({ "on-failure": "on-request", detached: "inline" }),
);

/** Documented clients let the server name a watch. */
function withWatchId(method: string, params: unknown): unknown {
  if (method !== "fs/watch" || typeof params !== "object" || params === null) return params;
  return { watchId: "", ...params };
}

function forValidation(params: unknown): unknown {
  if (typeof params !== "object" || params === null) return params;
  const { dynamicTools } = params as { readonly dynamicTools?: unknown };
  if (Array.isArray(dynamicTools)) return { ...params, dynamicTools: dynamicTools.map(withType) };
  const { approvalPolicy, delivery } = params as { readonly approvalPolicy?: unknown; readonly delivery?: unknown };
  if (dropped.get(approvalPolicy as string))
    return { ...params, approvalPolicy: dropped.get(approvalPolicy as string) };
  return dropped.get(delivery as string) ? { ...params, delivery: dropped.get(delivery as string) } : params;
}
