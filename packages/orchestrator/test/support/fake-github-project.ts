/** The part of GitHub's GraphQL API that projects need: the project 5 of `acme`. Other operations are refused. */
import { fakeToken, type GithubRecord } from "./fake-github.ts";

/** A running fake. */
export interface FakeGithubProject extends AsyncDisposable {
  readonly url: string;
  readonly items: {
    readonly id: string;
    status: string | null;
    isArchived?: boolean;
    readonly content: GithubRecord;
  }[];
  readonly operations: string[];
  /** Requests of the REST API. */
  readonly rest: string[];
}

const options = ["Todo", "In Progress", "In Review", "Done"];

/** Starts one; whoever starts it disposes of it. */
export function fakeGithubProject(): FakeGithubProject {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (request.headers.get("authorization") !== `Bearer ${fakeToken}`) return new Response("", { status: 401 });
      const { pathname } = new URL(request.url);
      if (pathname !== "/graphql") {
        const [, number] = /^\/repos\/acme\/app\/issues\/(\d+)$/.exec(pathname) ?? [];
        const item = fake.items.find(({ content }) => String(content.number) === number);
        fake.rest.push(`${request.method} ${pathname}`);
        if (request.method !== "PATCH" || !item) return Response.json({ message: "Not Found" }, { status: 404 });
        return Response.json(Object.assign(item.content, await request.json()));
      }
      const { query, variables } = (await request.json()) as { query: string; variables: Record<string, unknown> };
      const name = /^(?:query|mutation) (\w+)/.exec(query)?.[1] ?? "";
      fake.operations.push(name);
      return answer(name, query, variables);
    },
  });

  function answer(name: string, query: string, variables: Record<string, unknown>): Response {
    const { owner, project, status, after, repoOwner, name: repo } = variables;
    if (name === "QuireIssues") {
      if (`${repoOwner}/${repo}` !== "acme/app") return Response.json({ data: { repository: null } });
      const asked = [...query.matchAll(/(i\d+): issue\(number: (\d+)\)/g)];
      return Response.json({
        data: { repository: Object.fromEntries(asked.map(([, key, number]) => [key, issueOf(Number(number))])) },
      });
    }
    if (name === "QuireStatus") {
      const item = fake.items.find(({ id }) => id === variables.item);
      const index = Number(String(variables.option).replace("option-", ""));
      const isRight = variables.project === "PVT_5" && variables.field === "FIELD_status" && options[index];
      if (!item || !isRight) return Response.json({ errors: [{ message: "Could not resolve to a node" }] });
      item.status = options[index] ?? null;
      return Response.json({ data: { updateProjectV2ItemFieldValue: { projectV2Item: { id: item.id } } } });
    }
    if (owner !== "acme" || project !== 5) return Response.json({ data: { repositoryOwner: { projectV2: null } } });
    if (name === "QuireProject") {
      const values = options.map((option, index) => ({ id: `option-${index}`, name: option }));
      const field = status === "Status" ? { id: "FIELD_status", options: values } : null;
      return Response.json({ data: { repositoryOwner: { projectV2: { id: "PVT_5", field } } } });
    }
    if (name !== "QuireItems") return Response.json({ errors: [{ message: `Unknown operation ${name}` }] });
    const start = Number(after ?? 0);
    const end = Math.min(start + 100, fake.items.length);
    const nodes = fake.items.slice(start, end).map((item) => ({
      id: item.id,
      isArchived: item.isArchived ?? false,
      status: item.status === null ? null : { name: item.status },
      content: contentOf(item.content),
    }));
    const pageInfo = { hasNextPage: end < fake.items.length, endCursor: String(end) };
    return Response.json({ data: { repositoryOwner: { projectV2: { items: { nodes, pageInfo } } } } });
  }

  function issueOf(number: number): object | null {
    const item = fake.items.find(({ content }) => content.number === number && content.draft !== true);
    if (!item) return null;
    const { id, isArchived = false, status } = item;
    const own = { id, isArchived, status: status === null ? null : { name: status }, project: { id: "PVT_5" } };
    const other = { id: "elsewhere", isArchived: false, status: { name: "Done" }, project: { id: "PVT_1" } };
    return { ...contentOf(item.content), projectItems: { nodes: [other, own] } };
  }

  const fake: FakeGithubProject = {
    url: `http://127.0.0.1:${server.port}`,
    items: [],
    operations: [],
    rest: [],
    [Symbol.asyncDispose]: () => server.stop(true),
  };
  return fake;
}

function contentOf(issue: GithubRecord): object {
  if (issue.draft === true) return { __typename: "DraftIssue" };
  return {
    __typename: "Issue",
    id: issue.node_id,
    databaseId: issue.id,
    number: issue.number,
    title: issue.title,
    body: issue.body,
    state: String(issue.state).toUpperCase(),
    url: issue.html_url,
    createdAt: issue.created_at,
    updatedAt: issue.updated_at,
    authorAssociation: issue.author_association,
    repository: { nameWithOwner: issue.repository ?? "acme/app" },
    labels: { nodes: issue.labels },
    assignees: { nodes: issue.assignees },
    issueDependenciesSummary: { blockedBy: 0 },
  };
}
