import { type ReactNode, useEffect, useState } from "react";
import { useStore } from "../state/react.tsx";
import { Button, Notice } from "../ui/index.ts";
import { appWords } from "../words/words.ts";

/** Says across the page that the link to the gateway is down, and when the next try is made. */
export function LinkBanner({ onRetry }: { readonly onRetry: () => void }): ReactNode {
  const link = useStore((state) => state.link);
  const nextTryAtMs = useStore((state) => state.nextTryAtMs);
  const seconds = useCountdown(link === "lost" ? nextTryAtMs : null);
  // A link that is back within a moment is not worth a word; one that never was has its own page.
  const known = useStore((state) => state.gateway !== null);
  const shown = useDelayed(known && (link === "lost" || link === "connecting"), 600);
  if (!shown) return null;
  return (
    <div className="app-banner">
      <Notice
        tone="warning"
        actions={
          <Button size="small" onClick={onRetry}>
            {appWords.tryNow}
          </Button>
        }
      >
        {appWords.linkQuireDownSeeMay}
        {seconds !== null && (
          <span className="app-countdown">
            {" "}
            {appWords.nextTry} {seconds} s.
          </span>
        )}
      </Notice>
    </div>
  );
}

function useDelayed(wanted: boolean, delayMs: number): boolean {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!wanted) {
      setShown(false);
      return;
    }
    const timer = setTimeout(() => setShown(true), delayMs);
    return () => clearTimeout(timer);
  }, [wanted, delayMs]);
  return shown;
}

function useCountdown(untilMs: number | null): number | null {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    if (untilMs === null) return;
    const timer = setInterval(() => setNowMs(Date.now()), 500);
    return () => clearInterval(timer);
  }, [untilMs]);
  return untilMs === null ? null : Math.max(0, Math.ceil((untilMs - nowMs) / 1000));
}
