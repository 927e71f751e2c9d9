import { type OrchestratorControl, SnapshotError } from "../events/control.ts";
import { toRunError } from "../events/run-error.ts";
import { json, problem } from "./responses.ts";

const path = /^\/api\/v1\/issues\/([^/]+)\/diff$/;

/** Answers with the changes of an issue's branch; undefined for other paths and methods. */
export function answerDiff(
  control: OrchestratorControl,
  { method }: Request,
  pathname: string,
): Promise<Response> | undefined {
  const [, name] = path.exec(pathname) ?? [];
  return name === undefined || method !== "GET" ? undefined : diffOf(control, name);
}

async function diffOf(control: OrchestratorControl, name: string): Promise<Response> {
  try {
    const diff = await control.diff(decodeURIComponent(name));
    if (diff === undefined) return problem(404, { code: "no_diff", message: "Nothing was pushed for this issue." });
    return json({ diff: diff.text, is_cut: diff.isCut });
  } catch (error) {
    if (error instanceof URIError) return problem(400, { code: "invalid_request", message: "The path is malformed." });
    if (error instanceof SnapshotError) return problem(503, { code: error.code, message: error.message });
    return problem(500, toRunError(error));
  }
}
