import { useEffect, useState } from "react";
import type { OrchestratorApi } from "./api.ts";
import type { OrchestratorState } from "./wire.ts";

/** The orchestrator's state. One that is `offline` is the last that was received. */
export interface Followed {
  readonly link: "connecting" | "live" | "offline";
  readonly state: OrchestratorState | null;
}

/** Pause before a stream that the browser gave up is opened again, in milliseconds. */
const reopenMs = 2000;

/** Follows the state as long as the component is there. */
export function useOrchestratorState(api: OrchestratorApi): Followed {
  const [followed, setFollowed] = useState<Followed>({ link: "connecting", state: null });
  useEffect(() => follow(api.eventsUrl, setFollowed), [api]);
  return followed;
}

type Update = (change: (before: Followed) => Followed) => void;

function follow(url: string, update: Update): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    source = new EventSource(url);
    source.addEventListener("state", (event: MessageEvent<string>) => {
      const state = JSON.parse(event.data) as OrchestratorState;
      update(() => ({ link: "live", state }));
    });
    source.addEventListener("unavailable", () => update(({ state }) => ({ link: "offline", state })));
    source.addEventListener("error", () => {
      update(({ state }) => ({ link: "offline", state }));
      // An answer that is no stream ends the browser's own tries, such as the gateway's when the orchestrator is down.
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, reopenMs);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
