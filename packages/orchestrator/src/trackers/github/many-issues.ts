import { TrackerError } from "../../tracker/tracker-error.ts";
import { asList, asObject, type JsonObject, text } from "../records/normalize.ts";
import type { GithubClient } from "./client.ts";

/** Issues asked for in one query. */
const maxNumbers = 50;

/** Fields of an issue, as far as they decide anything. */
const fields = `fragment Fields on Issue {
  id databaseId number title body state url createdAt updatedAt authorAssociation
  labels(first: 100) { nodes { name } }
  assignees(first: 20) { nodes { login } }
  issueDependenciesSummary { blockedBy }
}`;

/**
 * Many issues with one request for each fifty of them, as records like those of the REST API. Undefined where this GitHub
 * does not have all that is asked for, as older GitHub Enterprise servers.
 */
export async function manyIssues(
  client: GithubClient,
  numbers: readonly string[],
  signal?: AbortSignal,
): Promise<JsonObject[] | undefined> {
  const found: JsonObject[] = [];
  for (let start = 0; start < numbers.length; start += maxNumbers) {
    const asked = numbers.slice(start, start + maxNumbers);
    const lines = asked.map((number) => `i${number}: issue(number: ${number}) { ...Fields }`).join("\n");
    const query = `query($owner: String!, $name: String!) {\nrepository(owner: $owner, name: $name) {\n${lines}\n}\n}\n${fields}`;
    const { owner, repo: name } = client.settings;
    const answer = await client.graphql(query, { owner, name }, signal);
    const repository = asObject(asObject(answer.data)?.repository);
    const errors: readonly JsonObject[] = asList(answer.errors).map((error) => asObject(error) ?? {});
    if (errors.some(isUnknownField)) return undefined;
    check(repository, errors, client);
    for (const number of asked) {
      const record = toRecord(asObject(repository?.[`i${number}`]));
      if (record) found.push(record);
    }
  }
  return found;
}

const isUnknownField = ({ extensions }: JsonObject) => asObject(extensions)?.code === "undefinedField";

/** An issue that is not there is an error with its name as path; all other errors leave the answer unknown. */
function check(
  repository: JsonObject | undefined,
  errors: readonly JsonObject[],
  { repoPath }: Pick<GithubClient, "repoPath">,
): void {
  const other = errors.find(({ type, path }) => type !== "NOT_FOUND" || asList(path).length !== 2);
  if (repository !== undefined && other === undefined) return;
  const said = text(other?.message)?.slice(0, 200) ?? "no reason was given";
  const remedy = "Check tracker.provider.repo, and that the token may see the repository";
  throw new TrackerError("tracker_response", `GitHub did not return the issues of ${repoPath} (${said}). ${remedy}.`);
}

/** An issue of the GraphQL API as the REST API gives it. */
export function toRecord(issue: JsonObject | undefined): JsonObject | undefined {
  if (issue === undefined) return undefined;
  const [assignee = null] = asList(asObject(issue.assignees)?.nodes);
  return {
    id: issue.databaseId,
    node_id: issue.id,
    number: issue.number,
    title: issue.title,
    body: issue.body,
    state: text(issue.state)?.toLowerCase(),
    html_url: issue.url,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    author_association: issue.authorAssociation,
    labels: asList(asObject(issue.labels)?.nodes),
    assignee,
    assignees: asList(asObject(issue.assignees)?.nodes),
    issue_dependencies_summary: { blocked_by: asObject(issue.issueDependenciesSummary)?.blockedBy },
  };
}
