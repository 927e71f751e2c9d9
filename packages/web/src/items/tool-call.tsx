import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { itemWords } from "../words/words.ts";
import { Activity, type ActivityStatus } from "./activity.tsx";
import { clipped, revealed } from "./format.ts";
import { JsonView } from "./json-view.tsx";

interface ToolCallProps {
  readonly icon: LucideIcon;
  /** Origin of the tool; null where it does not matter. */
  readonly from: string | null;
  readonly tool: string;
  readonly status: ActivityStatus;
  readonly facts: readonly ReactNode[];
  readonly input: unknown;
  /** Last word of a call that takes its time. */
  readonly progress: string | null;
  readonly error: string | null;
  readonly foldKey: string;
  readonly children?: ReactNode;
}

/** The call of a tool: which one, with what, and what came of it. */
export function ToolCall({
  icon,
  from,
  tool,
  status,
  facts,
  input,
  progress,
  error,
  foldKey,
  children,
}: ToolCallProps) {
  return (
    <Activity
      icon={icon}
      title={from === null ? revealed(tool) : revealed(`${from} · ${tool}`)}
      detail={<code>{progress ?? oneLine(input)}</code>}
      status={status}
      facts={facts}
      foldKey={foldKey}
      initiallyOpen={error !== null}
    >
      {!isEmpty(input) && (
        <section aria-label={itemWords.input}>
          <JsonView data={input} foldKey={`${foldKey}/input`} />
        </section>
      )}
      {error !== null && <p className="items-error">{error}</p>}
      {children}
    </Activity>
  );
}

const isEmpty = (input: unknown): boolean =>
  input === null || input === undefined || (typeof input === "object" && Object.keys(input).length === 0);

/** `path: "a.ts", limit: 3`. */
function oneLine(input: unknown): string {
  if (isEmpty(input)) return "";
  if (typeof input !== "object" || input === null) return clipped(String(input), 200);
  const fields = Object.entries(input)
    .slice(0, 6)
    .map(([name, value]) => `${name}: ${short(value)}`);
  return clipped(revealed(fields.join(", ")), 200);
}

function short(value: unknown): string {
  if (typeof value === "string") return clipped(value.replace(/\s+/g, " "), 80);
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? `[${value.length}]` : "{…}";
}
