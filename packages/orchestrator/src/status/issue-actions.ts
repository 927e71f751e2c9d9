import type { BoardAction } from "../events/board.ts";
import { type OrchestratorControl, SnapshotError } from "../events/control.ts";
import { json, problem } from "./responses.ts";

const path = /^\/api\/v1\/issues\/([^/]+)\/(approve|rework|answer|priority)$/;
/** Largest body of an action. */
const maxBody = 64 * 1024;

/** Does what a person asked for; undefined for other paths and methods. */
export function answerAction(
  control: OrchestratorControl,
  request: Request,
  pathname: string,
): Promise<Response> | undefined {
  const [, name = "", command] = path.exec(pathname) ?? [];
  return command === undefined || request.method !== "POST" ? undefined : acted(control, request, { name, command });
}

async function acted(
  control: OrchestratorControl,
  request: Request,
  { name, command }: { readonly name: string; readonly command: string },
): Promise<Response> {
  const text = await request.text();
  const action = text.length > maxBody ? undefined : actionOf(command, text);
  const identifier = decoded(name);
  if (action === undefined || identifier === null) {
    const message = 'Send JSON: {"text": "…"} for rework and answer, {"priority": 1} or null for priority.';
    return problem(400, { code: "invalid_request", message });
  }
  try {
    const error = await control.act(identifier, action);
    if (error === undefined) return json({ issue_identifier: identifier, accepted: true }, 202);
    return problem(error.code === "issue_not_found" ? 404 : 409, error);
  } catch (error) {
    if (error instanceof SnapshotError) return problem(503, { code: error.code, message: error.message });
    throw error;
  }
}

function actionOf(command: string, text: string): BoardAction | undefined {
  const body = parsed(text);
  if (command === "approve") return { name: "approve" };
  if (command === "rework" || command === "answer") {
    return typeof body?.text === "string" ? { name: command, text: body.text } : undefined;
  }
  const priority = body?.priority;
  const isRank = typeof priority === "number" && Number.isInteger(priority) && priority >= 1 && priority <= 4;
  return priority === null || isRank ? { name: "priority", priority: priority as number | null } : undefined;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function decoded(name: string): string | null {
  try {
    return decodeURIComponent(name);
  } catch {
    return null;
  }
}
