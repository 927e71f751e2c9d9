/** A local server that speaks GitHub's REST API for issues: paging by `Link`, limits, errors. */

/** An issue as GitHub stores it; tests give only what matters. */
export type GithubRecord = Record<string, unknown> & { readonly number: number };

/** A recorded request. */
interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: string;
}

/** What is answered instead of the usual, once. */
interface Fault {
  /** Only for paths, with their query, that match. */
  readonly path?: RegExp;
  readonly response: () => Response;
}

/** A running fake. */
export interface FakeGithub extends AsyncDisposable {
  readonly url: string;
  readonly issues: GithubRecord[];
  /** Numbers of the issues that block an issue. */
  readonly blockers: Map<number, readonly GithubRecord[]>;
  readonly requests: SeenRequest[];
  readonly faults: Fault[];
  /** Of all issues. */
  readonly comments: { id: number; body: string; author_association: string }[];
}

/** The credential that the fake accepts. */
export const fakeToken = "ghp_fake0123456789";

/** An issue with everything that GitHub's answer usually holds. */
export function githubIssue(number: number, more: Record<string, unknown> = {}): GithubRecord {
  return {
    id: 9_000_000 + number,
    node_id: `I_${number}`,
    number,
    title: `Issue ${number}`,
    body: `Body of ${number}`,
    state: "open",
    state_reason: null,
    html_url: `https://github.example/acme/app/issues/${number}`,
    labels: [],
    assignee: null,
    assignees: [],
    author_association: "MEMBER",
    created_at: new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString().replace(".000", ""),
    updated_at: "2026-02-01T00:00:00Z",
    closed_at: null,
    issue_dependencies_summary: { blocked_by: 0, blocking: 0, total_blocked_by: 0, total_blocking: 0 },
    ...more,
  };
}

/** Starts one; whoever starts it disposes of it. */
export function fakeGithub(issues: GithubRecord[] = []): FakeGithub {
  const requests: SeenRequest[] = [];
  const faults: Fault[] = [];
  const comments: { id: number; body: string; author_association: string }[] = [];
  const blockers = new Map<number, readonly GithubRecord[]>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const url = new URL(request.url);
      const seen = { method: request.method, path: url.pathname, query: url.searchParams, headers: request.headers };
      requests.push({ ...seen, body: await request.text() });
      const fault = faults.findIndex(({ path }) => path?.test(url.pathname + url.search) ?? true);
      if (fault >= 0) return faults.splice(fault, 1)[0]?.response() ?? new Response();
      if (request.headers.get("authorization") !== `Bearer ${fakeToken}`) return problem(401, "Bad credentials");
      return conditional(request, answer(url, request.method, requests.at(-1)?.body ?? ""));
    },
  });

  function answer(url: URL, method: string, body: string): Response {
    const [, comment] = /^\/repos\/acme\/app\/issues\/comments\/(\d+)$/.exec(url.pathname) ?? [];
    if (comment !== undefined && method === "PATCH") {
      const found = comments.find(({ id }) => String(id) === comment);
      return found ? Response.json(Object.assign(found, JSON.parse(body))) : problem(404, "Not Found");
    }
    const [, number, rest] = /^\/repos\/acme\/app\/issues(?:\/(\d+)(\/.*)?)?$/.exec(url.pathname) ?? [];
    if (url.pathname === "/graphql" && method === "POST") return manyIssues(JSON.parse(body));
    if (url.pathname === "/repos/acme/app") return Response.json({ full_name: "acme/app", has_issues: true });
    if (!url.pathname.startsWith("/repos/acme/app/issues")) return problem(404, "Not Found");
    if (number === undefined) return page(url, listed(url.searchParams));
    const issue = issues.find((each) => each.number === Number(number));
    if (issue === undefined) return problem(404, "Not Found");
    if (rest === "/dependencies/blocked_by") return page(url, [...(blockers.get(issue.number) ?? [])]);
    if (rest === "/comments" && method === "GET") return page(url, comments);
    if (rest === "/comments" && method === "POST") {
      const made = { id: comments.length + 1, author_association: "MEMBER", ...JSON.parse(body) };
      comments.push(made);
      return Response.json(made, { status: 201 });
    }
    const labels = issue.labels as { name: string }[];
    if (rest === "/labels" && method === "POST") {
      for (const name of (JSON.parse(body) as { labels: string[] }).labels) labels.push({ name });
      return Response.json(labels);
    }
    if (rest?.startsWith("/labels/") && method === "DELETE") {
      const at = labels.findIndex(({ name }) => name === decodeURIComponent(rest.slice("/labels/".length)));
      if (at < 0) return problem(404, "Label does not exist");
      labels.splice(at, 1);
      return Response.json(labels);
    }
    if (rest !== undefined) return problem(404, "Not Found");
    if (method === "PATCH") Object.assign(issue, JSON.parse(body));
    return Response.json(issue, { headers: limits(4999) });
  }

  /** GraphQL, as far as issues are asked for by number: names and nulls as in GitHub's schema. */
  function manyIssues({ query, variables }: { query: string; variables: { owner: string; name: string } }): Response {
    if (`${variables.owner}/${variables.name}`.toLowerCase() !== "acme/app") {
      const error = { type: "NOT_FOUND", path: ["repository"], message: "Could not resolve to a Repository" };
      return Response.json({ data: { repository: null }, errors: [error] });
    }
    const asked = [...query.matchAll(/(\w+): issue\(number: (\d+)\)/g)].map(([, name = "", number]) => ({
      name,
      number,
    }));
    const errors: object[] = [];
    const fields = asked.map(({ name, number }) => {
      const issue = issues.find((each) => each.number === Number(number) && each.pull_request === undefined);
      const message = `Could not resolve to an Issue with the number of ${number}.`;
      if (!issue) errors.push({ type: "NOT_FOUND", path: ["repository", name], message });
      return [name, issue ? graphqlIssue(issue) : null];
    });
    return Response.json({ data: { repository: Object.fromEntries(fields) }, ...(errors.length > 0 && { errors }) });
  }

  function listed(query: URLSearchParams): GithubRecord[] {
    const state = query.get("state") ?? "open";
    const wanted = (query.get("labels") ?? "").split(",").filter(Boolean);
    const found = issues.filter((issue) => {
      const names = ((Array.isArray(issue.labels) ? issue.labels : []) as { name?: string }[]).map((label) =>
        label?.name?.toLowerCase(),
      );
      return (state === "all" || issue.state === state) && wanted.every((name) => names.includes(name.toLowerCase()));
    });
    return query.get("direction") === "asc" ? found : found.reverse();
  }

  return {
    url: `http://127.0.0.1:${server.port}`,
    issues,
    blockers,
    requests,
    faults,
    comments,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** The same issue as GraphQL gives it. */
function graphqlIssue(issue: GithubRecord): object {
  const summary = issue.issue_dependencies_summary as { blocked_by?: number } | undefined;
  return {
    id: issue.node_id,
    databaseId: issue.id,
    number: issue.number,
    title: issue.title,
    body: issue.body ?? "",
    state: String(issue.state).toUpperCase(),
    url: issue.html_url,
    createdAt: issue.created_at,
    updatedAt: issue.updated_at,
    authorAssociation: issue.author_association,
    labels: { nodes: issue.labels },
    assignees: { nodes: issue.assignees ?? [] },
    issueDependenciesSummary: { blockedBy: summary?.blocked_by ?? 0 },
  };
}

/** GitHub's page: at most `per_page` elements, and a `Link` header with the other pages. */
function page(url: URL, all: readonly unknown[]): Response {
  const size = Number(url.searchParams.get("per_page") ?? 30);
  const number = Number(url.searchParams.get("page") ?? 1);
  const last = Math.max(1, Math.ceil(all.length / size));
  const link = (to: number, rel: string) => {
    const target = new URL(url);
    target.searchParams.set("page", String(to));
    return `<${target.href}>; rel="${rel}"`;
  };
  const links = [
    ...(number > 1 ? [link(number - 1, "prev"), link(1, "first")] : []),
    ...(number < last ? [link(number + 1, "next"), link(last, "last")] : []),
  ];
  const headers = { ...limits(4998), ...(links.length > 0 ? { link: links.join(", ") } : {}) };
  return Response.json(all.slice((number - 1) * size, number * size), { headers });
}

/** Answers a GET with an ETag, and with 304 if the client has that answer already. */
async function conditional(request: Request, response: Response): Promise<Response> {
  if (request.method !== "GET" || response.status !== 200) return response;
  const text = await response.text();
  const etag = `W/"${Bun.hash(text)}"`;
  const headers = new Headers(response.headers);
  headers.set("etag", etag);
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  return new Response(text, { status: 200, headers });
}

function limits(remaining: number): Record<string, string> {
  return { "x-ratelimit-limit": "5000", "x-ratelimit-remaining": String(remaining), "x-ratelimit-resource": "core" };
}

/** An error as GitHub words it. */
export function problem(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json(
    { message, documentation_url: "https://docs.github.com/rest", status: String(status) },
    { status, headers },
  );
}
