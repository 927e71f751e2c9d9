import { useEffect, useState } from "react";
import type { OrchestratorApi } from "./api.ts";
import { applyChange, type Board } from "./board.ts";
import type { BoardQuery } from "./board-query.ts";
import type { BoardChange } from "./wire.ts";

/** The board. One that is `offline` is the last that was received. */
export interface Followed {
  readonly link: "connecting" | "live" | "offline";
  readonly board: Board | null;
}

/** Pause before a stream that the browser gave up is opened again, in milliseconds. */
const reopenMs = 2000;

/** Follows the board as long as the component is there. While another query is loaded, the last board stays. */
export function useBoard(api: OrchestratorApi, query: BoardQuery): Followed {
  const [followed, setFollowed] = useState<Followed>({ link: "connecting", board: null });
  const url = api.boardUrl(query);
  useEffect(() => follow(url, setFollowed), [url]);
  return followed;
}

type Update = (change: (before: Followed) => Followed) => void;

function follow(url: string, update: Update): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const data = (event: MessageEvent<string>) => JSON.parse(event.data) as BoardChange;
  const offline = (): void => update(({ board }) => ({ link: "offline", board }));
  const open = (): void => {
    source = new EventSource(url);
    source.addEventListener("board", (event: MessageEvent<string>) => {
      update(() => ({ link: "live", board: applyChange(null, data(event)) }));
    });
    source.addEventListener("changes", (event: MessageEvent<string>) => {
      update(({ board }) => ({ link: "live", board: applyChange(board, data(event)) }));
    });
    source.addEventListener("unavailable", offline);
    source.addEventListener("error", () => {
      offline();
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
