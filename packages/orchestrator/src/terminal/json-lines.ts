import type { EventListener } from "../events/events.ts";
import { escapeHidden } from "../log/escape-hidden.ts";

/** Writes each event but lines of the log and mere changes as a line of JSON, under the names that the status API uses. */
export function jsonLines(write: (line: string) => void): EventListener {
  return (event) => {
    if (event.type !== "log" && event.type !== "changed") write(escapeHidden(JSON.stringify(wire(event))));
  };
}

/** Names of numbers that are instants. */
const instants: ReadonlySet<string> = new Set(["at", "dueAt"]);

/** Instants as text and names in snake case, at every depth. */
function wire(value: unknown, key = ""): unknown {
  if (typeof value === "number" && instants.has(key)) return new Date(value).toISOString();
  if (Array.isArray(value)) return value.map((each) => wire(each));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [wireName(name), wire(each, name)]));
}

const names: ReadonlyMap<string, string> = new Map(Object.entries<string>({ identifier: "issue_identifier" }));

function wireName(name: string): string {
  return names.get(name) ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
