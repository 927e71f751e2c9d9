import { type CommandResult, type OrchestratorControl, SnapshotError } from "../events/control.ts";
import { boardNow, boardQuery } from "./board-feed.ts";
import { json, problem } from "./responses.ts";
import { instant, issueToWire, stateToWire } from "./wire.ts";

/** Responds to one route. */
type Answer = () => Response;

/** Responses of one path, by HTTP method. */
type Methods = Readonly<Record<string, Answer>>;

const prefix = "/api/v1/";

/** Answers a request to the API, or null where the path is none of its own. Streams are served elsewhere. */
export function answerApi(
  control: OrchestratorControl,
  method: string,
  { pathname, searchParams }: URL,
): Response | null {
  if (!pathname.startsWith(prefix)) return null;
  const methods = route(control, pathname.slice(prefix.length), searchParams);
  if (methods === null) return problem(404, { code: "not_found", message: `There is nothing at ${pathname}.` });
  return dispatch(methods, method);
}

/** Runs the method's answer; any other method gets the list of those there are. */
export function dispatch(methods: Methods, method: string): Response {
  const name = method === "HEAD" ? "GET" : method;
  const answer = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (answer === undefined) {
    const allowed = Object.keys(methods).join(", ");
    return problem(
      405,
      { code: "method_not_allowed", message: `${method} is not supported here: use ${allowed}.` },
      { allow: allowed },
    );
  }
  try {
    return answer();
  } catch (error) {
    if (error instanceof SnapshotError)
      return problem(error.code === "timeout" ? 504 : 503, { code: error.code, message: error.message });
    throw error;
  }
}

function route(control: OrchestratorControl, path: string, query: URLSearchParams): Methods | null {
  switch (path) {
    case "state":
      return { GET: () => json(stateToWire(control.snapshot())) };
    case "board":
      return { GET: () => json(boardNow(control, boardQuery(query))) };
    case "refresh":
      return { POST: () => refreshed(control) };
    case "pause":
      return { POST: () => switched(control, () => control.pause()) };
    case "resume":
      return { POST: () => switched(control, () => control.resume()) };
    default:
      return issueRoute(control, path);
  }
}

/** `<identifier>`, `<identifier>/retry` and `<identifier>/stop`; also below `issues/`, for an issue that is called `state`. */
function issueRoute(control: OrchestratorControl, path: string): Methods | null {
  const [, name = "", command] = /^(?:issues\/)?([^/]+)(?:\/(retry|stop))?$/.exec(path) ?? [];
  const identifier = decoded(name);
  if (identifier === null) return null;
  if (command === "retry") return { POST: () => commanded(control.retry(identifier), identifier, command) };
  if (command === "stop") return { POST: () => commanded(control.stop(identifier), identifier, command) };
  return {
    GET: () => {
      const detail = control.issue(identifier);
      return detail === undefined ? notFound(identifier) : json(issueToWire(detail));
    },
  };
}

function refreshed(control: OrchestratorControl): Response {
  const { queued, coalesced, requestedAt, operations } = control.refresh();
  return json({ queued, coalesced, requested_at: instant(requestedAt), operations }, 202);
}

function switched(control: OrchestratorControl, change: () => void): Response {
  change();
  return json({ mode: control.snapshot().mode }, 202);
}

function commanded(result: CommandResult, identifier: string, command: "retry" | "stop"): Response {
  if (result === "issue_not_found") return notFound(identifier);
  if (result === "done") return json({ issue_identifier: identifier, accepted: true }, 202);
  const why = command === "retry" ? "It neither waits nor is blocked." : "It neither runs nor waits.";
  return problem(409, {
    code: "not_applicable",
    message: `${identifier} cannot be ${command === "retry" ? "retried" : "stopped"}: ${why}`,
  });
}

function notFound(identifier: string): Response {
  const message = `The orchestrator knows no issue ${identifier} at present: it may not have been dispatched yet.`;
  return problem(404, { code: "issue_not_found", message });
}

function decoded(name: string): string | null {
  try {
    return name === "" ? null : decodeURIComponent(name);
  } catch {
    return null;
  }
}
