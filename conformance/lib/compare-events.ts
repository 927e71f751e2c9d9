import { align } from "./align.ts";
import { compareValues, type Found } from "./compare-values.ts";
import type { ServerEvent } from "./transcript.ts";

/**
 * Notifications that the real server sends when it gets around to it, so they stand elsewhere from run to run. They are
 * compared among themselves.
 */
const unhurried: readonly string[] = [
  "warning",
  "deprecationNotice",
  "remoteControl/status/changed",
  "skills/changed",
  "thread/goal/cleared",
  "account/rateLimits/updated",
];

const output = "item/commandExecution/outputDelta";

/** Exceptions from strict comparison of notifications. */
export interface Leniency {
  /** In any order. */
  readonly free?: readonly string[];
  /** Not at all. */
  readonly erratic?: readonly string[];
  /** Compare the output of commands too. */
  readonly streamed?: boolean;
}

/** Compares the notifications of one connection. */
export function compareEvents(
  real: readonly ServerEvent[],
  ours: readonly ServerEvent[],
  { free = [], erratic = [], streamed = false }: Leniency,
): Found[] {
  const loose = new Set([...unhurried, output, ...free]);
  const ignored = new Set([...erratic, ...(streamed ? [] : [output])]);
  const ordered = ({ method }: ServerEvent) => !loose.has(method) && !ignored.has(method);
  const others = ({ method }: ServerEvent) => loose.has(method) && !ignored.has(method);
  return [
    ...alignedDifferences(real.filter(ordered), ours.filter(ordered)),
    ...alignedDifferences(
      sortedBySignature(joined(real.filter(others))),
      sortedBySignature(joined(ours.filter(others))),
    ),
  ];
}

function alignedDifferences(real: readonly ServerEvent[], ours: readonly ServerEvent[]): Found[] {
  const pairs = align(real, ours, signature);
  const lacking = pairs.flatMap((pair) => (pair.real && !pair.ours ? [signature(pair.real)] : []));
  const added = pairs.flatMap((pair) => (pair.ours && !pair.real ? [signature(pair.ours)] : []));
  const moved = lacking.filter((each) => added.includes(each));
  return [
    ...pairs.flatMap((pair) =>
      pair.real && pair.ours ? compareValues(`event ${title(pair.real)}`, pair.real.message, pair.ours.message) : [],
    ),
    ...moved.map((each) => ({ where: `order of ${each}`, real: "earlier or later", ours: "elsewhere" })),
    ...lacking
      .filter((each) => !moved.includes(each))
      .map((each) => ({ where: `event lacks: ${each}`, real: "sent", ours: "not sent" })),
    ...added
      .filter((each) => !moved.includes(each))
      .map((each) => ({ where: `event adds: ${each}`, real: "not sent", ours: "sent" })),
  ];
}

/** Joins the output chunks of a command: their boundaries depend on timing. */
function joined(events: readonly ServerEvent[]): ServerEvent[] {
  const seen = new Set<string>();
  return events.flatMap((event) => {
    if (event.method !== output) return [event];
    const id = field(field(event.message, "params"), "itemId");
    if (seen.has(String(id))) return [];
    seen.add(String(id));
    return [{ method: event.method, message: { params: { itemId: id, delta: "<output>" } } }];
  });
}

function sortedBySignature(events: readonly ServerEvent[]): ServerEvent[] {
  return [...events].sort((one, other) => (signature(one) < signature(other) ? -1 : 1));
}

/** A text that identifies an event and distinguishes two of the same method. */
function signature(event: ServerEvent): string {
  const params = field(event.message, "params");
  const item = field(params, "item");
  const words = [
    title(event),
    beginning(field(params, "message")),
    field(item, "id") ?? field(params, "itemId") ?? field(params, "callId") ?? field(params, "turnId"),
    field(field(params, "status"), "type"),
    field(field(params, "turn"), "id"),
    field(field(params, "thread"), "id") ?? field(params, "threadId"),
    field(params, "delta"),
  ];
  return words.filter((word) => typeof word === "string").join(" ");
}

/** Enough of a text to tell it from others. */
function beginning(text: unknown): unknown {
  return typeof text === "string" ? text.slice(0, 40) : undefined;
}

/** The method, and for an item its type. */
function title({ method, message }: ServerEvent): string {
  const type = field(field(field(message, "params"), "item"), "type");
  return typeof type === "string" ? `${method} ${type}` : method;
}

function field(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
