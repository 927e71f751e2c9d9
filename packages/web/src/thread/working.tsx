import { CircleHelp, Unplug } from "lucide-react";
import { useEffect, useState } from "react";
import { formatDuration } from "../items/format.ts";
import { Spinner } from "../ui/index.ts";
import { threadWords } from "../words/words.ts";

interface WorkingProps {
  /** Seconds since 1970. */
  readonly startedAt: number | null;
  readonly waiting: boolean;
}

/** The turn in progress, and for how long it has run. */
export function Working({ startedAt, waiting }: WorkingProps) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const elapsed = startedAt === null ? 0 : now - startedAt * 1000;
  return (
    <div className={`thread-working ${waiting ? "thread-waiting" : ""}`}>
      {waiting ? <CircleHelp size={14} aria-hidden="true" /> : <Spinner />}
      <span>{waiting ? threadWords.waiting : threadWords.working}</span>
      {elapsed >= 1000 && <span className="thread-elapsed">{wholeSeconds(elapsed)}</span>}
    </div>
  );
}

/** The turn in progress, of which nothing is heard any more. */
export function ConnectionLost() {
  return (
    <div className="thread-working thread-waiting">
      <Unplug size={14} aria-hidden="true" />
      <span>{threadWords.connectionLostTurnShowsAgain}</span>
    </div>
  );
}

/** It counts by the second, so there are no parts of one. */
function wholeSeconds(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 10 ? `${seconds} s` : formatDuration(seconds * 1000);
}
