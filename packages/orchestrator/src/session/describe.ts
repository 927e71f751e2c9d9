/** Longest line of a timeline. */
const maxLine = 500;

/** A text as one line of bounded length. */
export function oneLine(text: string, max: number = maxLine): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}

/** A line about a notification; undefined where it is one of very many and not worth a line. */
export function describeNotification(method: string, params: unknown): string | undefined {
  if (/delta$/i.test(method) || unimportant.has(method)) return undefined;
  const { item, error, message, plan, status } = (params ?? {}) as Record<string, unknown>;
  if (method === "item/started" || method === "item/completed") return describeItem(item, method === "item/completed");
  const said = (error as { message?: unknown } | undefined)?.message ?? message;
  if (typeof said === "string") return oneLine(`${method}: ${said}`);
  if (method === "turn/plan/updated" && Array.isArray(plan)) return oneLine(`plan: ${plan.map(step).join("; ")}`);
  if (method === "thread/status/changed") return `thread is ${String((status as { type?: unknown })?.type)}`;
  return method;
}

const unimportant: ReadonlySet<string> = new Set([
  "thread/tokenUsage/updated",
  "account/rateLimits/updated",
  "turn/diff/updated",
  "item/reasoning/summaryPartAdded",
]);

function step(value: unknown): string {
  const { step: text, status } = value as { step?: unknown; status?: unknown };
  return `${status === "completed" ? "✓ " : ""}${String(text)}`;
}

function describeItem(value: unknown, completed: boolean): string | undefined {
  const item = (value ?? {}) as Record<string, unknown>;
  switch (item.type) {
    case "userMessage":
    case "reasoning":
      return undefined;
    case "agentMessage":
      return completed ? oneLine(`said: ${String(item.text ?? "")}`) : undefined;
    case "commandExecution":
      return oneLine(
        `$ ${String(item.command ?? "")}${completed ? ` (exit code ${String(item.exitCode ?? "none")})` : ""}`,
      );
    case "fileChange":
      return completed ? oneLine(`changed ${paths(item.changes)}`) : undefined;
    case "mcpToolCall":
    case "dynamicToolCall":
      return oneLine(`tool ${String(item.tool ?? "")}${completed ? ` ${String(item.status ?? "done")}` : ""}`);
    default:
      return completed ? oneLine(String(item.type ?? "item")) : undefined;
  }
}

function paths(changes: unknown): string {
  const list = Array.isArray(changes) ? changes.map((change) => String((change as { path?: unknown }).path)) : [];
  return list.join(", ");
}
