import type { ReactNode } from "react";
import { classNames } from "../ui/index.ts";
import { inWords } from "./in-words.ts";
import type { TimelineRow } from "./wire.ts";

/** What happened in an issue's runs, newest first. */
export function Timeline({ events }: { readonly events: readonly TimelineRow[] }): ReactNode {
  if (events.length === 0) return <p className="orchestrator-muted">Nothing has happened yet.</p>;
  return (
    <ol className="orchestrator-timeline">
      {events.toReversed().map((event, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own, and hold no state
        <li key={`${event.at} ${events.length - index}`} className={classNames(isBad(event.event) && "is-bad")}>
          <time dateTime={event.at}>{clock(event.at)}</time>
          <div>
            <span className="orchestrator-event">{titleOf(event)}</span>
            {event.message !== event.name && ` ${event.message}`}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Phases and plain names are said once, in words where they are made of words. */
function titleOf({ event, name }: TimelineRow): string {
  if (event === "phase" && name !== null) return inWords(name);
  return name ?? event.replaceAll("_", " ");
}

function isBad(event: string): boolean {
  return /failed|error|cancelled|required|malformed|unsupported/.test(event);
}

function clock(instant: string): string {
  return new Date(instant).toLocaleTimeString([], { hour12: false });
}
