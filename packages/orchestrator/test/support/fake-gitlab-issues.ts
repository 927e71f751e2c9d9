/** The part of GitLab's API that issues need, for the project `acme/tools/app`. What is not documented is refused. */
import { gitlabToken } from "./fake-gitlab.ts";

/** An issue as GitLab gives it. */
export type GitlabRecord = Record<string, unknown> & { readonly iid: number };

/** A running fake. */
export interface FakeGitlabIssues extends AsyncDisposable {
  readonly url: string;
  readonly issues: GitlabRecord[];
  /** What blocks an issue, by its number. */
  readonly blockers: Map<number, readonly { iid: string; state: string; reference: string }[]>;
  readonly notes: Record<string, unknown>[];
  readonly requests: string[];
  /** Access levels by user id. */
  readonly members: Map<number, number>;
  readonly faults: (() => Response)[];
  /** False for the free edition, whose schema has no blocked issues. */
  hasBlockers: boolean;
}

/** An issue with everything that GitLab's answer usually holds. */
export function gitlabIssue(iid: number, more: Record<string, unknown> = {}): GitlabRecord {
  return {
    id: 5000 + iid,
    iid,
    project_id: 7,
    title: `Issue ${iid}`,
    description: `Body of ${iid}`,
    state: "opened",
    created_at: new Date(Date.UTC(2026, 0, 1) + iid * 60_000).toISOString(),
    updated_at: "2026-02-01T00:00:00.000Z",
    labels: [],
    assignees: [],
    author: { id: 1, username: "ann" },
    web_url: `https://gitlab.example/acme/tools/app/-/issues/${iid}`,
    ...more,
  };
}

const problem = (status: number, message: string) => Response.json({ message }, { status });
const listParams: ReadonlySet<string> = new Set(["state", "order_by", "sort", "scope", "iids[]", "per_page", "page"]);
const editable: ReadonlySet<string> = new Set(["add_labels", "remove_labels", "state_event"]);

/** Starts one; whoever starts it disposes of it. */
export function fakeGitlabIssues(issues: GitlabRecord[] = []): FakeGitlabIssues {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const url = new URL(request.url);
      fake.requests.push(`${request.method} ${url.pathname}`);
      const fault = fake.faults.shift();
      if (fault) return fault();
      if (request.headers.get("private-token") !== gitlabToken) return problem(401, "401 Unauthorized");
      const text = await request.text();
      const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
      if (url.pathname === "/api/graphql") return blocked(body);
      const prefix = "/api/v4/projects/acme%2Ftools%2Fapp";
      if (!url.pathname.startsWith(prefix)) return problem(404, "404 Project Not Found");
      return answer(`${request.method} ${url.pathname.slice(prefix.length)}`, { query: url.searchParams, body });
    },
  });

  function answer(asked: string, { query, body }: { query: URLSearchParams; body: Record<string, unknown> }): Response {
    if (asked === "GET /issues") return listed(query);
    const [, user] = /^GET \/members\/all\/(\d+)$/.exec(asked) ?? [];
    if (user !== undefined) {
      const level = fake.members.get(Number(user));
      return level === undefined
        ? problem(404, "404 Not found")
        : Response.json({ id: Number(user), access_level: level });
    }
    const [, method, iid, part = "", noteId] =
      /^(GET|POST|PUT) \/issues\/(\d+)(\/notes)?(?:\/(\d+))?$/.exec(asked) ?? [];
    const issue = fake.issues.find((each) => String(each.iid) === iid);
    if (!issue) return problem(404, "404 Not found");
    if (method === "PUT" && part === "") return edited(issue, body);
    if (part === "/notes" && method === "GET") return page(fake.notes, query);
    if (part === "/notes" && typeof body.body !== "string") return problem(400, "body is missing");
    if (part === "/notes" && method === "POST") {
      fake.notes.push({ id: fake.notes.length + 1, body: body.body, author: { id: 1 }, system: false });
      return Response.json(fake.notes.at(-1), { status: 201 });
    }
    const note = fake.notes.find(({ id }) => String(id) === noteId);
    return note && method === "PUT" ? Response.json(Object.assign(note, body)) : problem(404, "404 Not found");
  }

  function listed(query: URLSearchParams): Response {
    for (const name of query.keys()) if (!listParams.has(name)) return problem(400, `${name} is invalid`);
    const [state, iids] = [query.get("state") ?? "all", query.getAll("iids[]").map(Number)];
    const found = fake.issues.filter(
      (issue) => (state === "all" || issue.state === state) && (iids.length === 0 || iids.includes(issue.iid)),
    );
    return page(query.get("sort") === "asc" ? found : found.toReversed(), query);
  }

  function edited(issue: GitlabRecord, body: Record<string, unknown>): Response {
    const names = Object.keys(body);
    if (names.length === 0 || names.some((name) => !editable.has(name))) return problem(400, "at least one is needed");
    const words = (value: unknown) =>
      String(value ?? "")
        .split(",")
        .filter(Boolean);
    const kept = (issue.labels as string[]).filter((label) => !words(body.remove_labels).includes(label));
    const labels = [...new Set([...kept, ...words(body.add_labels)])];
    const state = body.state_event === "close" ? "closed" : body.state_event === "reopen" ? "opened" : issue.state;
    return Response.json(Object.assign(issue, { labels, state }));
  }

  function blocked({ query, variables }: Record<string, unknown>): Response {
    if (!fake.hasBlockers)
      return Response.json({ errors: [{ message: "Field 'blocked' doesn't exist on type 'Issue'" }] });
    const { path, iids } = variables as { path: string; iids: string[] };
    if (path !== "acme/tools/app" || !String(query).includes("blockedByIssues"))
      return Response.json({ data: { project: null } });
    const nodes = iids.map((iid) => {
      const by = fake.blockers.get(Number(iid)) ?? [];
      return { iid, blocked: by.length > 0, blockedByIssues: { nodes: by } };
    });
    return Response.json({ data: { project: { issues: { nodes } } } });
  }

  const fake: FakeGitlabIssues = {
    url: `http://127.0.0.1:${server.port}`,
    issues,
    blockers: new Map(),
    notes: [],
    requests: [],
    members: new Map([[1, 40]]),
    faults: [],
    hasBlockers: true,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
  return fake;
}

function page(all: readonly unknown[], query: URLSearchParams): Response {
  const [number, size] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 20)];
  const next = number * size < all.length ? String(number + 1) : "";
  return Response.json(all.slice((number - 1) * size, number * size), { headers: { "x-next-page": next } });
}
