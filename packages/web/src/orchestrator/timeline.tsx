import type { ReactNode } from "react";
import { classNames } from "../ui/index.ts";
import { boardWords } from "../words/words.ts";
import { inWords } from "./in-words.ts";
import type { TimelineRow } from "./wire.ts";

/** The timeline of an issue's runs, newest first. */
export function Timeline({ events }: { readonly events: readonly TimelineRow[] }): ReactNode {
  if (events.length === 0) return <p className="orchestrator-muted">{boardWords.noEvents}</p>;
  return runsOf(events)
    .toReversed()
    .map((lines) => <RunTimeline key={lines[0]?.run} lines={lines} />);
}

function RunTimeline({ lines }: { readonly lines: readonly TimelineRow[] }): ReactNode {
  const [first] = lines;
  if (first === undefined) return null;
  return (
    <section className="orchestrator-run" aria-label={boardWords.run(first.run)}>
      <h4>
        {boardWords.run(first.run)}{" "}
        <time className="orchestrator-muted" dateTime={first.at}>
          {day(first.at)}
        </time>
      </h4>
      <ol className="orchestrator-timeline">
        {lines.toReversed().map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own, and hold no state
          <li key={`${line.at} ${lines.length - index}`} className={classNames(isBad(line.event) && "is-bad")}>
            <time dateTime={line.at}>{clock(line.at)}</time>
            <div>
              <span className="orchestrator-event">{titleOf(line)}</span>
              {line.message !== line.name && ` ${line.message}`}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The lines of each run, in the order in which they came. */
function runsOf(events: readonly TimelineRow[]): TimelineRow[][] {
  const runs = new Map<number, TimelineRow[]>();
  for (const event of events) {
    const lines = runs.get(event.run);
    if (lines) lines.push(event);
    else runs.set(event.run, [event]);
  }
  return [...runs.values()];
}

/**
 * Phases and plain names are said once, in words where they are made of words. What a turn or a question came to says
 * more than the method that it came by.
 */
function titleOf({ event, name }: TimelineRow): string {
  if (event === "phase" && name !== null) return inWords(name);
  if (/^(approval|turn)_/.test(event)) return event.replaceAll("_", " ");
  return name ?? event.replaceAll("_", " ");
}

function isBad(event: string): boolean {
  return /failed|error|cancelled|required|malformed|unsupported/.test(event);
}

function clock(instant: string): string {
  return new Date(instant).toLocaleTimeString([], { hour12: false });
}

function day(instant: string): string {
  return new Date(instant).toLocaleDateString([], { day: "numeric", month: "short" });
}
