import { securityHeaders, textAnswer } from "./headers.ts";

/** Path of an orchestrator's status API in a gateway. */
export const orchestratorPath = "/orchestrator";

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST"]);
/** Time for an orchestrator to begin its answer. */
const timeoutMs = 30_000;

/** Address and token of an orchestrator. */
export interface OrchestratorTarget {
  readonly base: string;
  readonly token: string | undefined;
  /** Called for an answer that has no end: it must not be taken for a connection that hangs. */
  readonly endless: () => void;
}

/**
 * Passes a request on to an orchestrator, and its answer back as it comes, a stream of events too. Neither the page's
 * cookie nor its token nor its origin goes with it, and no page of it can run a script.
 */
export async function askOrchestrator(request: Request, target: OrchestratorTarget): Promise<Response> {
  const { base, token, endless } = target;
  if (!methods.has(request.method)) {
    return textAnswer(405, "Only GET, HEAD and POST are passed on.", { Allow: [...methods].join(", ") });
  }
  const { pathname, search } = new URL(request.url);
  const address = `${base.replace(/\/$/, "")}${pathname.slice(orchestratorPath.length) || "/"}${search}`;
  const slow = new AbortController();
  const timer = setTimeout(() => slow.abort(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  try {
    const answer = await fetch(address, {
      method: request.method,
      headers: {
        ...pick(request.headers, ["accept", "content-type"]),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      redirect: "manual",
      // The page that goes takes its question along.
      signal: AbortSignal.any([request.signal, slow.signal]),
      ...(request.method === "POST" && { body: await request.arrayBuffer() }),
    });
    if (answer.status === 401) return textAnswer(502, wrongToken);
    if (answer.headers.get("content-type")?.startsWith("text/event-stream")) endless();
    return new Response(answer.body, {
      status: answer.status,
      headers: {
        ...securityHeaders,
        ...pick(answer.headers, ["allow"]),
        "Content-Type": typeOf(answer),
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "Cache-Control": "no-store",
      },
    });
  } catch (error) {
    return textAnswer(502, `The orchestrator does not answer: ${(error as Error).message}. Check that it runs.`);
  } finally {
    clearTimeout(timer);
  }
}

// Not passed on as 401, which pages take for a wrong token of their own.
const wrongToken =
  "The orchestrator wants another token: start quire up as the same user with the same QUIRE_HOME, or set QUIRE_ORCHESTRATOR_TOKEN for both.";

/** The content type, restricted to data: a script or page would run as one of the gateway's own. */
function typeOf({ headers }: Response): string {
  const type = headers.get("content-type") ?? "";
  return /^(application\/json|text\/event-stream|text\/plain)\s*(;|$)/i.test(type) ? type : "text/plain; charset=utf-8";
}

function pick(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
