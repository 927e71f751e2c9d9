import { fakeToken } from "./fake-github.ts";

/** A pull request of the fake, as GitHub's REST API gives it. */
interface FakePull {
  number: number;
  state: "open" | "closed";
  merged: boolean;
  title: string;
  body: string;
  head: { ref: string; sha: string; repo: { full_name: string } };
  base: { ref: string };
  html_url: string;
}

/** The part of GitHub's REST API that pull requests need, for the repository `acme/app`; anything else is a 404 or a 422. */
export interface FakeGithubPulls extends AsyncDisposable {
  readonly url: string;
  readonly pulls: FakePull[];
  readonly checkRuns: Record<string, unknown>[];
  readonly statuses: Record<string, unknown>[];
  readonly reviews: Record<string, unknown>[];
  readonly comments: Record<string, unknown>[];
  readonly merges: { readonly sha: string; readonly merge_method: string }[];
  /** Why a merge is refused. */
  refusal: number | undefined;
  readonly asked: string[];
  /** The commit of a branch, where there is a repository. */
  shaOf: (branch: string) => string;
}

/** Starts one. */
export function fakeGithubPulls(): FakeGithubPulls {
  const problem = (status: number, message: string) => Response.json({ message }, { status });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const url = new URL(request.url);
      fake.asked.push(`${request.method} ${url.pathname}`);
      if (request.headers.get("authorization") !== `Bearer ${fakeToken}`) return problem(401, "Bad credentials");
      if (request.headers.get("x-github-api-version") !== "2022-11-28") return problem(400, "Unsupported version");
      const text = await request.text();
      const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
      return answer(request.method, url, body);
    },
  });

  function answer(method: string, url: URL, body: Record<string, unknown>): Response {
    const rest = url.pathname.replace("/repos/acme/app", "");
    if (rest === url.pathname) return problem(404, "Not Found");
    if (method === "GET" && rest === "") return Response.json({ full_name: "acme/app", has_issues: true });
    if (method === "GET" && rest === "/pulls") return Response.json(listed(url.searchParams));
    if (method === "POST" && rest === "/pulls") return opened(body);
    const [, number, part = ""] = /^\/pulls\/(\d+)(\/.*)?$/.exec(rest) ?? [];
    const [, sha, kind] = /^\/commits\/(\w+)\/(check-runs|status)$/.exec(rest) ?? [];
    if (method === "GET" && kind === "check-runs") return checks("check_runs", of(fake.checkRuns, "head_sha", sha));
    if (method === "GET" && kind === "status") return checks("statuses", of(fake.statuses, "sha", sha));
    const pull = fake.pulls.find((each) => String(each.number) === number);
    if (!pull) return problem(404, "Not Found");
    pull.head.sha = fake.shaOf(pull.head.ref);
    if (method === "GET" && part === "") return Response.json(pull);
    if (method === "PATCH" && part === "") return Response.json(Object.assign(pull, body));
    if (method === "GET" && part === "/reviews") return Response.json(fake.reviews);
    if (method === "GET" && part === "/comments") return Response.json(fake.comments);
    if (method === "PUT" && part === "/merge") return merged(pull, body);
    return problem(404, "Not Found");
  }

  function listed(query: URLSearchParams): FakePull[] {
    const [owner, branch] = (query.get("head") ?? "").split(":");
    return fake.pulls.filter(
      ({ state, head }) => state === query.get("state") && head.ref === branch && owner === "acme",
    );
  }

  function opened({ head, base, title, body }: Record<string, unknown>): Response {
    if (![head, base, title].every((value) => typeof value === "string" && value !== ""))
      return problem(422, "Validation Failed");
    if (fake.pulls.some((each) => each.state === "open" && each.head.ref === head))
      return problem(422, "A pull request already exists");
    const number = fake.pulls.length + 1;
    const pull: FakePull = {
      number,
      state: "open",
      merged: false,
      title: String(title),
      body: String(body),
      head: { ref: String(head), sha: fake.shaOf(String(head)), repo: { full_name: "acme/app" } },
      base: { ref: String(base) },
      html_url: `https://github.example/acme/app/pull/${number}`,
    };
    fake.pulls.push(pull);
    return Response.json(pull, { status: 201 });
  }

  function merged(pull: FakePull, { sha, merge_method }: Record<string, unknown>): Response {
    if (fake.refusal !== undefined) return problem(fake.refusal, "Pull Request is not mergeable");
    if (sha !== pull.head.sha) return problem(409, "Head branch was modified. Review and try the merge again.");
    if (!["merge", "squash", "rebase"].includes(String(merge_method))) return problem(422, "Validation Failed");
    Object.assign(pull, { merged: true, state: "closed" });
    fake.merges.push({ sha: String(sha), merge_method: String(merge_method) });
    return Response.json({ sha: "ccc", merged: true, message: "Pull Request successfully merged" });
  }

  const of = (all: readonly Record<string, unknown>[], key: string, sha: string | undefined) =>
    all.filter((each) => each[key] === undefined || each[key] === sha);
  const checks = (name: string, all: readonly unknown[]) => Response.json({ total_count: all.length, [name]: all });

  const fake: FakeGithubPulls = {
    url: `http://127.0.0.1:${server.port}`,
    pulls: [],
    checkRuns: [],
    statuses: [],
    reviews: [],
    comments: [],
    merges: [],
    refusal: undefined,
    asked: [],
    shaOf: () => "aaa",
    [Symbol.asyncDispose]: () => server.stop(true),
  };
  return fake;
}
