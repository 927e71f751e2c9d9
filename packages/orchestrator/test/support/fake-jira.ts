/** The part of Jira Cloud's REST API, version 3, that issues need. What is not documented is refused. */

/** An issue as Jira gives it. */
export interface JiraRecord {
  readonly id: string;
  readonly key: string;
  readonly fields: Record<string, unknown>;
}

/** A running fake. */
export interface FakeJira extends AsyncDisposable {
  readonly url: string;
  readonly issues: JiraRecord[];
  readonly requests: { readonly asked: string; readonly body: Record<string, unknown> }[];
  readonly comments: { id: string; body: unknown }[];
  readonly faults: (() => Response)[];
  /** States that the workflow leads to from any other. */
  readonly states: string[];
}

/** The account and the token that the fake accepts. */
export const jiraEmail = "ann@example.org";
export const jiraToken = "ATATT-fake0123456789";

/** A document of one paragraph. */
export const paragraph = (text: string) => ({
  type: "doc",
  version: 1,
  content: [{ type: "paragraph", content: [{ type: "text", text }] }],
});

/** An issue with everything that the adapter asks for. */
export function jiraIssue(number: number, fields: Record<string, unknown> = {}): JiraRecord {
  return {
    id: String(10_000 + number),
    key: `APP-${number}`,
    fields: {
      summary: `Issue ${number}`,
      description: paragraph(`Body of ${number}`),
      status: { name: "To Do" },
      priority: { name: "High", id: "2" },
      labels: [],
      assignee: null,
      issuelinks: [],
      project: { key: "APP" },
      created: "2026-01-01T00:00:00.000+0000",
      updated: "2026-02-01T01:00:00.000+0100",
      ...fields,
    },
  };
}

const problem = (status: number, message: string) =>
  Response.json({ errorMessages: [message], errors: {} }, { status });

/** Starts one; whoever starts it disposes of it. */
export function fakeJira(issues: JiraRecord[] = []): FakeJira {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const text = await request.text();
      const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
      const asked = `${request.method} ${pathname.replace("/rest/api/3", "")}`;
      fake.requests.push({ asked, body });
      const fault = fake.faults.shift();
      if (fault) return fault();
      const basic = `Basic ${btoa(`${jiraEmail}:${jiraToken}`)}`;
      if (request.headers.get("authorization") !== basic) return problem(401, "Client must be authenticated");
      if (!pathname.startsWith("/rest/api/3/")) return problem(404, "Not found");
      return answer(asked, body);
    },
  });

  function answer(asked: string, body: Record<string, unknown>): Response {
    if (asked === "POST /search/jql") return found(body);
    if (asked === "POST /issue/bulkfetch") {
      const ids = body.issueIdsOrKeys as string[];
      if (!Array.isArray(ids) || ids.length > 100) return problem(400, "issueIdsOrKeys is invalid");
      return Response.json({ issues: fake.issues.filter(({ id }) => ids.includes(id)), issueErrors: [] });
    }
    if (asked === "GET /project/APP") return Response.json({ key: "APP" });
    const [, method, id, part, comment] =
      /^(GET|POST|PUT) \/issue\/(\d+)\/(comment|transitions)(?:\/(\d+))?$/.exec(asked) ?? [];
    const issue = fake.issues.find((each) => each.id === id);
    if (!issue) return problem(404, "Issue does not exist or you do not have permission to see it.");
    if (part === "transitions" && method === "GET") {
      const transitions = fake.states.map((name, index) => ({
        id: String(index + 1),
        name: `To ${name}`,
        to: { name },
      }));
      return Response.json({ transitions });
    }
    if (part === "transitions") {
      const name = fake.states[Number((body.transition as { id?: string } | undefined)?.id) - 1];
      if (name === undefined)
        return problem(400, "It seems that you have tried to perform an illegal workflow operation.");
      Object.assign(issue.fields, { status: { name } });
      return new Response(null, { status: 204 });
    }
    if ((body.body as { type?: string } | undefined)?.type !== "doc") return problem(400, "Comment body is not valid!");
    if (method === "POST") {
      fake.comments.push({ id: String(fake.comments.length + 1), body: body.body });
      return Response.json(fake.comments.at(-1), { status: 201 });
    }
    const known = fake.comments.find((each) => each.id === comment);
    return known ? Response.json(Object.assign(known, { body: body.body })) : problem(404, "Can not find a comment");
  }

  /** As far as the adapter's own queries go: a project, and a list of states. */
  function found({ jql, maxResults, nextPageToken, fields, ...rest }: Record<string, unknown>): Response {
    if (Object.keys(rest).length > 0 || !Array.isArray(fields)) return problem(400, "Invalid request payload");
    const [, project, list] = /^project = "(\w+)" AND status IN \(([^)]*)\)/.exec(String(jql)) ?? [];
    if (project !== "APP" || list === undefined) return problem(400, "Error in the JQL Query");
    const states = [...list.matchAll(/"([^"]*)"/g)].map(([, name]) => name);
    const all = fake.issues.filter(({ fields: { status } }) =>
      states.includes((status as { name?: string } | null)?.name?.toLowerCase()),
    );
    const start = Number(nextPageToken ?? 0);
    const end = start + Number(maxResults ?? 50);
    const isLast = end >= all.length;
    return Response.json({ issues: all.slice(start, end), isLast, ...(!isLast && { nextPageToken: String(end) }) });
  }

  const fake: FakeJira = {
    url: `http://127.0.0.1:${server.port}`,
    issues,
    requests: [],
    comments: [],
    faults: [],
    states: ["To Do", "In Review", "Done"],
    [Symbol.asyncDispose]: () => server.stop(true),
  };
  return fake;
}
