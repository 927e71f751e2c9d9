/** A local server that speaks Linear's GraphQL API for issues: cursors, limits, errors. */

/** An issue as Linear's API gives it. */
export type LinearRecord = Record<string, unknown> & { readonly id: string };

/** A recorded operation. */
interface SeenOperation {
  readonly query: string;
  readonly variables: Record<string, unknown>;
  readonly headers: Headers;
}

/** A running fake. */
export interface FakeLinear extends AsyncDisposable {
  readonly url: string;
  readonly issues: LinearRecord[];
  readonly operations: SeenOperation[];
  /** Answers given instead of the usual, once each. */
  readonly faults: (() => Response)[];
}

/** The credential that the fake accepts. */
export const fakeKey = "lin_api_fake0123456789";

/** An issue with everything that the adapter asks for. */
export function linearIssue(number: number, more: Record<string, unknown> = {}): LinearRecord {
  return {
    id: `uuid-${number}`,
    identifier: `ENG-${number}`,
    title: `Issue ${number}`,
    description: `Body of ${number}`,
    priority: 2,
    state: { name: "Todo" },
    branchName: `eng-${number}-issue`,
    url: `https://linear.example/acme/issue/ENG-${number}`,
    assignee: null,
    labels: { nodes: [] },
    inverseRelations: { nodes: [] },
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-02-01T00:00:00.000Z",
    ...more,
  };
}

/** Starts one; whoever starts it disposes of it. */
export function fakeLinear(issues: LinearRecord[] = []): FakeLinear {
  const operations: SeenOperation[] = [];
  const faults: (() => Response)[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { query, variables = {} } = (await request.json()) as SeenOperation;
      operations.push({ query, variables, headers: request.headers });
      const fault = faults.shift();
      if (fault) return fault();
      if (request.headers.get("authorization") !== fakeKey) {
        return graphqlError(401, "Authentication required, not authenticated", "AUTHENTICATION_ERROR");
      }
      if (/\bviewer\s*\{/.test(query)) return data({ viewer: { id: "user-me" } });
      if (/\bissue\(id: \$id\)/.test(query)) {
        const nodes = ["Todo", "In Progress", "In Review", "Done"].map((name) => ({ id: `state-${name}`, name }));
        return data({ issue: { team: { states: { nodes } } } });
      }
      if (/\bcommentCreate\b/.test(query)) return data({ commentCreate: { success: true, comment: { id: "note-1" } } });
      if (/\bcommentUpdate\b/.test(query)) return data({ commentUpdate: { success: true } });
      if (/\bmutation\b/.test(query)) return data({ issueUpdate: { success: true } });
      return data({
        issues: connection(
          issues.filter((issue) => matches(issue, variables.filter as Filter)),
          variables,
        ),
      });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/graphql`,
    issues,
    operations,
    faults,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

interface Filter {
  readonly id?: { readonly in: readonly string[] };
  readonly state?: { readonly name: { readonly eqIgnoreCase: string } };
  readonly or?: readonly Filter[];
}

/** Applies what of Linear's `IssueFilter` concerns single issues; project and team are the fake's whole world. */
function matches(issue: LinearRecord, { id, state, or }: Filter = {}): boolean {
  const name = (issue.state as { name?: string } | null)?.name ?? "";
  return (
    (id?.in.includes(issue.id) ?? true) &&
    (state === undefined || state.name.eqIgnoreCase.toLowerCase() === name.toLowerCase()) &&
    (or?.some((each) => matches(issue, each)) ?? true)
  );
}

function connection(all: readonly LinearRecord[], variables: Record<string, unknown>) {
  const first = Number(variables.first ?? 50);
  const start = variables.after ? Number(String(variables.after).replace("cursor-", "")) : 0;
  const end = Math.min(start + first, all.length);
  return {
    nodes: all.slice(start, end),
    pageInfo: { hasNextPage: end < all.length, endCursor: end > start ? `cursor-${end}` : null },
  };
}

const limits = {
  "x-ratelimit-requests-limit": "5000",
  "x-ratelimit-requests-remaining": "4990",
  "x-ratelimit-complexity-limit": "250000",
  "x-complexity": "120",
};

const data = (value: unknown) => Response.json({ data: value }, { headers: limits });

/** An error as Linear words it. */
export function graphqlError(
  status: number,
  message: string,
  code: string,
  headers: Record<string, string> = {},
): Response {
  const error = { message, extensions: { code, type: code.toLowerCase(), userError: true, http: { status } } };
  return Response.json({ errors: [error], data: null }, { status, headers: { ...limits, ...headers } });
}
