/** Items in a page: GitHub's maximum. */
const pageSize = 100;

/** Issues asked for by their numbers in one query. */
export const maxNumbers = 50;

const issueFields = `fragment Fields on Issue {
  id databaseId number title body state url createdAt updatedAt authorAssociation
  repository { nameWithOwner }
  labels(first: 50) { nodes { name } }
  assignees(first: 10) { nodes { login } }
  issueDependenciesSummary { blockedBy }
}
fragment Values on ProjectV2Item {
  status: fieldValueByName(name: $status) { ... on ProjectV2ItemFieldSingleSelectValue { name } }
}`;

/** Finds a project and its field of states. */
export const projectQuery: string = `query QuireProject($owner: String!, $project: Int!, $status: String!) {
  repositoryOwner(login: $owner) { ... on ProjectV2Owner { projectV2(number: $project) {
    id
    field(name: $status) { ... on ProjectV2SingleSelectField { id options { id name } } }
  } } }
}`;

/** A page of a project's items. */
export const itemsQuery: string = `query QuireItems($owner: String!, $project: Int!, $status: String!, $after: String) {
  repositoryOwner(login: $owner) { ... on ProjectV2Owner { projectV2(number: $project) {
    items(first: ${pageSize}, after: $after) {
      nodes { id isArchived ...Values content { __typename ...Fields } }
      pageInfo { hasNextPage endCursor }
    }
  } } }
}
${issueFields}`;

/** Asks for issues of a repository by their numbers, with the projects that they are in. */
export function issuesQuery(numbers: readonly string[]): string {
  const lines = numbers.map(
    (number) => `i${number}: issue(number: ${number}) {
      ...Fields projectItems(first: 20, includeArchived: false) { nodes { id isArchived project { id } ...Values } }
    }`,
  );
  return `query QuireIssues($repoOwner: String!, $name: String!, $status: String!) {
  repository(owner: $repoOwner, name: $name) {
${lines.join("\n")}
  }
}
${issueFields}`;
}

/** Sets the state of an item. */
export const statusMutation: string = `mutation QuireStatus($project: ID!, $item: ID!, $field: ID!, $option: String!) {
  updateProjectV2ItemFieldValue(input: {
    projectId: $project, itemId: $item, fieldId: $field, value: { singleSelectOptionId: $option }
  }) { projectV2Item { id } }
}`;
