import type { OrchestratorControl } from "../events/control.ts";
import { newToken, requireToken, validToken } from "./access.ts";
import { BoardView, boardQuery } from "./board-feed.ts";
import { dashboardScript, dashboardStyle, renderDashboard, renderShell } from "./dashboard.ts";
import { refuseCrossOrigin } from "./guard.ts";
import { answerAction } from "./issue-actions.ts";
import { answerDiff } from "./issue-diff.ts";
import { renderHealth, renderMetrics } from "./metrics.ts";
import { content, problem } from "./responses.ts";
import { answerApi, dispatch } from "./routes.ts";
import { stateStream } from "./state-stream.ts";
import { Webhooks, webhookPath } from "./webhook.ts";

/** Streams open at once; a page needs one. */
const maxStreams = 64;

/** Options of {@link serveStatus}. */
export interface StatusServerOptions {
  /** 0 takes any that is free. */
  readonly port: number;
  /** Token that clients must send, at least 16 characters. Default: a random one. */
  readonly token?: string | undefined;
  /** The secret of webhooks now; null where there are to be none. Default: none. */
  readonly webhookSecret?: (() => string | null) | undefined;
}

/** A running status server. Its owner stops it. */
export interface StatusServer extends AsyncDisposable {
  readonly port: number;
  /** Of the dashboard, which asks for the token. */
  readonly url: string;
  /** Token that a client sends as `Authorization: Bearer TOKEN`. */
  readonly token: string;
  /** Opens the dashboard, token and all: for the owner's eyes alone. */
  readonly ownUrl: string;
  /** Ends all streams and stops listening. Idempotent. */
  stop(): Promise<void>;
}

/** Serves the status API and a dashboard, on this machine alone, to who knows the token. Throws where the port is taken. */
export function serveStatus(control: OrchestratorControl, options: StatusServerOptions): StatusServer {
  const { port } = options;
  const token = options.token === undefined ? newToken() : validToken(options.token);
  const ended = new AbortController();
  const webhooks = new Webhooks({ control, secret: options.webhookSecret ?? (() => null) });
  let streams = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    // With NODE_ENV=production Bun would share the port with other processes.
    reusePort: false,
    // Else Bun would answer with a page of our sources, should we ever fail.
    development: false,
    // A webhook tells of a whole issue; other requests have no body that matters.
    maxRequestBodySize: 4 * 1024 * 1024,
    fetch(request, self) {
      const url = new URL(request.url);
      const { pathname } = url;
      // It comes through a proxy, by whatever name that has, and shows who sent it by its signature.
      if (pathname === webhookPath) return webhooks.answer(request);
      const refused = refuseCrossOrigin(request, self.port ?? port) ?? requireToken(request, pathname, token);
      if (refused !== null) return refused;
      if (pathname === "/api/v1/events" || pathname === "/api/v1/board/events") {
        return dispatch({ GET: () => openStream(request, url, () => self.timeout(request, 0)) }, request.method);
      }
      return (
        answerAction(control, request, pathname) ??
        answerDiff(control, request, pathname) ??
        page(control, request.method, pathname) ??
        answerApi(control, request.method, url) ??
        unknown(pathname)
      );
    },
    error: () => problem(500, { code: "internal_error", message: "The status could not be made: see the log." }),
  });

  function openStream(request: Request, { pathname, searchParams }: URL, keepOpen: () => void): Response {
    if (streams >= maxStreams) {
      return problem(503, {
        code: "too_many_streams",
        message: `There are ${maxStreams} streams already: close other pages.`,
      });
    }
    streams++;
    keepOpen();
    const view = pathname.includes("/board/") ? new BoardView(boardQuery(searchParams)) : undefined;
    return stateStream(control, { request, ended: ended.signal, onEnd: () => streams--, view });
  }

  const stop = async () => {
    ended.abort();
    webhooks[Symbol.dispose]();
    await server.stop(true);
  };
  const bound = server.port ?? port;
  const url = `http://127.0.0.1:${bound}/`;
  return { port: bound, url, token, ownUrl: `${url}#token=${token}`, stop, [Symbol.asyncDispose]: stop };
}

function page(control: OrchestratorControl, method: string, pathname: string): Response | null {
  switch (pathname) {
    case "/":
      return dispatch({ GET: renderShell }, method);
    case "/dashboard":
      return dispatch({ GET: () => renderDashboard(control) }, method);
    case "/metrics":
      return dispatch({ GET: () => renderMetrics(control) }, method);
    case "/healthz":
      return dispatch({ GET: () => renderHealth(control) }, method);
    case "/dashboard.css":
      return dispatch({ GET: () => content("text/css; charset=utf-8", dashboardStyle) }, method);
    case "/dashboard.js":
      return dispatch({ GET: () => content("text/javascript; charset=utf-8", dashboardScript) }, method);
    default:
      return null;
  }
}

const unknown = (pathname: string) => problem(404, { code: "not_found", message: `There is nothing at ${pathname}.` });
