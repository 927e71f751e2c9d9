import { useEffect, useState } from "react";
import { boardWords } from "../words/words.ts";

/** The time, renewed every second, for ages and countdowns. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** A span for people: `42 s`, `4 min`, `3 h 5 min`. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return boardWords.seconds(seconds);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return boardWords.minutes(minutes);
  return boardWords.hours(Math.floor(minutes / 60), minutes % 60);
}

/** Time since an instant. */
export function agoText(instant: string | null, now: number): string {
  return instant === null ? boardWords.never : boardWords.ago(spanText(now - Date.parse(instant)));
}

/** Time until an instant. */
export function untilText(instant: string, now: number): string {
  const left = Date.parse(instant) - now;
  return left <= 0 ? boardWords.now : boardWords.after(spanText(left));
}
