import { jsonSchema, type Tool, tool } from "@quire/client";
import type { ToolSession } from "../../tracker/tracker.ts";
import { redactForModel } from "../remote/redact.ts";
import type { GithubClient } from "./client.ts";
import { ToolScope } from "./tool-scope.ts";

interface Input {
  readonly method: string;
  readonly path: string;
  readonly params?: Readonly<Record<string, unknown>> | null;
  readonly body?: unknown;
}

const input = jsonSchema<Input>({
  type: "object",
  additionalProperties: false,
  required: ["method", "path"],
  properties: {
    method: { type: "string", enum: ["GET", "POST", "PATCH", "PUT", "DELETE"] },
    path: { type: "string", description: "Path of GitHub's REST API, such as /repos/OWNER/NAME/issues/1/comments" },
    params: { type: ["object", "null"], description: "Query parameters", additionalProperties: true },
    body: { description: "JSON body of the request" },
  },
});

/** Lets the agent call GitHub's REST API with the host's credential, as far as the workflow says. */
export function githubApiTool(client: GithubClient, { issue, changed }: ToolSession): Tool {
  const scope = new ToolScope(client.settings, issue.id);
  return tool<Input>({
    name: "github_api",
    description: `Calls GitHub's REST API; authentication is added for you.${scope.description} Gives {status, body}.`,
    input,
    async run({ method, path, params, body }, { signal }) {
      const { pathname, search } = checkedPath(path);
      const asked = { method, path: pathname };
      scope.check(asked);
      const target = pathname + search + queryOf(params ?? {}, path);
      const response = await client.send({ method, path: target, body, signal });
      const answer = redactForModel(
        `{"status":${response.status},"body":${jsonOf(response.text)}}`,
        client.settings.token,
      );
      if (response.status < 200 || response.status >= 300) throw new Error(answer);
      scope.note(asked, response.text);
      if (method !== "GET") changed?.();
      return answer;
    },
  }) as Tool;
}

/** The path as it may be sent: no other host, no way upwards by `..` or its encodings. */
function checkedPath(path: string): URL {
  const url = path.startsWith("/") && !path.startsWith("//") ? URL.parse(path, "http://api.invalid") : null;
  const [plain = ""] = path.split("?");
  if (
    url !== null &&
    url.host === "api.invalid" &&
    url.hash === "" &&
    url.pathname === plain &&
    !/\.\.|%2e|%2f|%5c|\\|\/\//i.test(plain)
  ) {
    return url;
  }
  throw new Error(
    `"${path}" is no path of GitHub's API: it begins with one slash and has no "..", encoded slash, fragment or host.`,
  );
}

function queryOf(params: Readonly<Record<string, unknown>>, path: string): string {
  const entries = Object.entries(params).filter(([, value]) => value !== null && value !== undefined);
  if (entries.length === 0) return "";
  const query = new URLSearchParams();
  for (const [key, value] of entries) query.set(key, String(value));
  return `${path.includes("?") ? "&" : "?"}${query}`;
}

/** An empty answer, such as a 204, is null; what is no JSON is text. */
function jsonOf(text: string): string {
  if (text.trim() === "") return "null";
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}
