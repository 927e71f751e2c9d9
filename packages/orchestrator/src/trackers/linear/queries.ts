/**
 * Fields of an issue. The numbers keep a page of {@link pageSize} below the 10,000 points that Linear allows one query:
 * an object is a point, a field a tenth, and a connection multiplies both by its `first`.
 */
const fields = `
  id identifier title description priority branchName url createdAt updatedAt
  state { name }
  assignee { id }
  team { id key }
  project { id slugId }
  labels(first: 25) { nodes { name } }
  inverseRelations(first: 25) {
    nodes { type issue { id identifier state { name } } }
    pageInfo { hasNextPage }
  }`;

/** Issues in a page. */
export const pageSize = 50;

/** A page of the issues that a filter lets through. */
export const issuesQuery: string = `query QuireIssues($filter: IssueFilter!, $first: Int!, $after: String) {
  issues(filter: $filter, first: $first, after: $after, orderBy: createdAt) {
    nodes {${fields}
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** Asks for the owner of the API key. */
export const viewerQuery = "query QuireViewer { viewer { id } }";
