/**
 * The part of GitLab's REST API that merge requests need, for the project `acme/tools/app`; anything else is a 404. As
 * GitLab does, it obeys quick actions in descriptions.
 */
export interface FakeGitlab extends AsyncDisposable {
  readonly url: string;
  readonly requests: Record<string, unknown>[];
  readonly notes: Record<string, unknown>[];
  readonly failedJobs: Record<string, unknown>[];
  readonly approvedBy: unknown[];
  /** Access levels by user id. */
  readonly members: Map<number, number>;
  readonly merges: Record<string, unknown>[];
  /** Quick actions that were obeyed. */
  readonly actions: string[];
}

/** The credential that the fake accepts. */
export const gitlabToken = "glpat-fake0123456789";

/** Starts one. */
export function fakeGitlab(): FakeGitlab {
  const problem = (status: number, message: string) => Response.json({ message }, { status });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const url = new URL(request.url);
      if (request.headers.get("private-token") !== gitlabToken) return problem(401, "401 Unauthorized");
      const prefix = "/api/v4/projects/acme%2Ftools%2Fapp";
      if (!url.pathname.startsWith(prefix)) return problem(404, "404 Project Not Found");
      const text = await request.text();
      const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
      return answer(request.method, url.pathname.slice(prefix.length), { query: url.searchParams, body });
    },
  });

  function answer(
    method: string,
    rest: string,
    { query, body }: { query: URLSearchParams; body: Record<string, unknown> },
  ): Response {
    if (method === "GET" && rest === "/merge_requests") {
      const found = fake.requests.filter(
        ({ state, source_branch: branch }) => state === query.get("state") && branch === query.get("source_branch"),
      );
      return paged(found, query);
    }
    if (method === "POST" && rest === "/merge_requests") return opened(body);
    if (method === "GET" && /^\/pipelines\/\d+\/jobs$/.test(rest)) {
      return query.get("scope[]") === "failed" ? paged(fake.failedJobs, query) : problem(400, "scope is invalid");
    }
    const [, user] = /^\/members\/all\/(\d+)$/.exec(rest) ?? [];
    if (user !== undefined) {
      const level = fake.members.get(Number(user));
      return level === undefined
        ? problem(404, "404 Not found")
        : Response.json({ id: Number(user), access_level: level });
    }
    const [, iid, part = ""] = /^\/merge_requests\/(\d+)(\/.*)?$/.exec(rest) ?? [];
    const found = fake.requests.find((each) => String(each.iid) === iid);
    if (!found) return problem(404, "404 Not found");
    if (method === "GET" && part === "") return Response.json(found);
    if (method === "PUT" && part === "") return Response.json(obeyed(Object.assign(found, body)));
    if (method === "GET" && part === "/notes") return paged(fake.notes, query);
    if (method === "GET" && part === "/approvals")
      return Response.json({ approved: true, approved_by: fake.approvedBy });
    if (method === "PUT" && part === "/merge") {
      if (body.sha !== found.sha) return problem(409, "SHA does not match HEAD of source branch");
      fake.merges.push(body);
      return Response.json(Object.assign(found, { state: "merged" }));
    }
    return problem(404, "404 Not found");
  }

  function opened(body: Record<string, unknown>): Response {
    for (const name of ["source_branch", "target_branch", "title"]) {
      if (typeof body[name] !== "string") return problem(400, `${name} is missing`);
    }
    const clash = fake.requests.some(({ state, source_branch: of }) => state === "opened" && of === body.source_branch);
    if (clash) return problem(409, "Another open merge request already exists for this source branch");
    const iid = fake.requests.length + 1;
    const web_url = `https://gitlab.example/acme/tools/app/-/merge_requests/${iid}`;
    const made = { ...body, iid, web_url, state: "opened", sha: "aaa", source_project_id: 1, target_project_id: 1 };
    const request = { ...made, head_pipeline: null };
    fake.requests.push(request);
    return Response.json(obeyed(request), { status: 201 });
  }

  /** Quick actions: lines that begin with a slash and the name of one. */
  function obeyed(request: Record<string, unknown>): Record<string, unknown> {
    for (const [, name = ""] of String(request.description ?? "").matchAll(/^\s*\/(merge|approve|label|close)\b/gm)) {
      fake.actions.push(name);
    }
    return request;
  }

  const fake: FakeGitlab = {
    url: `http://127.0.0.1:${server.port}`,
    requests: [],
    notes: [],
    failedJobs: [],
    approvedBy: [],
    members: new Map(),
    merges: [],
    actions: [],
    [Symbol.asyncDispose]: () => server.stop(true),
  };
  return fake;
}

function paged(all: readonly unknown[], query: URLSearchParams): Response {
  const [page, size] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 20)];
  const next = page * size < all.length ? String(page + 1) : "";
  return Response.json(all.slice((page - 1) * size, page * size), { headers: { "x-next-page": next } });
}
