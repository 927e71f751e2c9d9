/** Params of a notification, as far as nobody has looked at them. */
export type LooseParams = { readonly [member: string]: unknown };

/** Ends of turns, also under the names that some servers use, and the status that the name stands for. */
export const turnEnds: ReadonlyMap<string, "completed" | "failed" | "interrupted"> = new Map([
  ["turn/completed", "completed"],
  ["turn/failed", "failed"],
  ["turn/cancelled", "interrupted"],
]);

export const isObject = (value: unknown): value is LooseParams =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const hasId = (value: unknown): boolean => isObject(value) && isText(value.id);

/** The few members that the client itself relies on. The full check of a message is `@quire/protocol/validate`'s. */
const checks: ReadonlyMap<string, (params: LooseParams) => boolean> = new Map([
  ["item/agentMessage/delta", ({ delta }) => isText(delta)],
  ["item/commandExecution/outputDelta", ({ delta }) => isText(delta)],
  ["item/started", ({ item }) => hasId(item)],
  ["item/completed", ({ item }) => hasId(item)],
  ["turn/started", ({ turn }) => hasId(turn)],
  ["turn/diff/updated", ({ diff }) => isText(diff)],
  ["turn/plan/updated", ({ plan }) => Array.isArray(plan)],
  ["thread/tokenUsage/updated", ({ tokenUsage }) => isObject(tokenUsage)],
  ["thread/started", ({ thread }) => hasId(thread)],
  ["thread/status/changed", ({ status }) => isObject(status)],
  ["error", ({ error }) => isObject(error)],
]);

/** Tells whether what a notification carries can be passed on to code that looks at it. */
export function isShaped(method: string, params: unknown): params is LooseParams | null | undefined {
  const check = checks.get(method);
  if (check) return isObject(params) && check(params);
  return params === undefined || params === null || isObject(params);
}
