import { normalState } from "../../tracker/issue.ts";
import { TrackerError } from "../../tracker/tracker-error.ts";
import type { GithubClient } from "../github/client.ts";
import { toRecord } from "../github/many-issues.ts";
import { asList, asObject, type JsonObject, text } from "../records/normalize.ts";
import { issuesQuery, itemsQuery, maxNumbers, projectQuery, statusMutation } from "./queries.ts";
import type { ProjectSettings } from "./settings.ts";

/** Pages that are followed at most: 20,000 items. A longer list is refused rather than cut. */
const maxPages = 200;

/** An issue as an item of the project. */
export interface ProjectItem {
  /** As GitHub's REST API would give the issue. */
  readonly record: JsonObject;
  /** Id of the item. */
  readonly item: string;
  /** Value of the field of states; null for none. */
  readonly status: string | null;
}

interface Facts {
  readonly id: string;
  readonly fieldId: string;
  readonly options: ReadonlyMap<string, string>;
}

/** A project on GitHub, as far as issues of one repository are in it. */
export class GithubProject {
  readonly #client: GithubClient;
  readonly #settings: ProjectSettings;
  #facts: Promise<Facts> | undefined;

  constructor(client: GithubClient, settings: ProjectSettings) {
    this.#client = client;
    this.#settings = settings;
  }

  /** All issues of the repository in the project, in its order: everything, or an error. */
  async items(signal?: AbortSignal): Promise<readonly ProjectItem[]> {
    const found: ProjectItem[] = [];
    const seen = new Set<string>();
    let after: string | null = null;
    do {
      const data: JsonObject = await this.#query(itemsQuery, { ...this.#named(), after }, signal);
      const items = asObject(this.#projectOf(data).items);
      if (!Array.isArray(items?.nodes)) throw answer("GitHub's project has no items");
      for (const node of items.nodes) found.push(...this.#itemOf(asObject(node), asObject(asObject(node)?.content)));
      const { hasNextPage, endCursor } = asObject(items.pageInfo) ?? {};
      after = hasNextPage === true ? text(endCursor) : null;
      if (hasNextPage === true && (after === null || seen.has(after) || seen.size >= maxPages)) {
        throw new TrackerError("tracker_pagination", "GitHub's pages of the project do not fit together.");
      }
      if (after !== null) seen.add(after);
    } while (after !== null);
    return found;
  }

  /** The issues with these numbers that are in the project. */
  async byNumber(numbers: readonly string[], signal?: AbortSignal): Promise<readonly ProjectItem[]> {
    const { id } = await this.#known(signal);
    const { owner: repoOwner, repo: name, statusField: status } = this.#settings;
    const found: ProjectItem[] = [];
    for (let start = 0; start < numbers.length; start += maxNumbers) {
      const asked = numbers.slice(start, start + maxNumbers);
      const data = await this.#query(issuesQuery(asked), { repoOwner, name, status }, signal);
      const repository = asObject(data.repository);
      if (repository === undefined) throw answer(`GitHub did not return the issues of ${repoOwner}/${name}`);
      for (const number of asked) {
        const issue = asObject(repository[`i${number}`]);
        const items = asList(asObject(issue?.projectItems)?.nodes).map((each) => asObject(each) ?? {});
        const own = items.find(({ project }) => asObject(project)?.id === id);
        found.push(...this.#itemOf(own, issue));
      }
    }
    return found;
  }

  /** Sets the state of an item; false where the field has no such value. */
  async setStatus(item: string, state: string, signal?: AbortSignal): Promise<boolean> {
    const { id: project, fieldId: field, options } = await this.#known(signal);
    const option = options.get(normalState(state));
    if (option === undefined) return false;
    await this.#query(statusMutation, { project, item, field, option }, signal);
    return true;
  }

  #itemOf(node: JsonObject | undefined, issue: JsonObject | undefined): ProjectItem[] {
    const { owner, repo } = this.#settings;
    const item = text(node?.id);
    const home = text(asObject(issue?.repository)?.nameWithOwner)?.toLowerCase();
    // Drafts, pull requests, and issues of other repositories are not worked on.
    if (item === null || node?.isArchived === true || home !== `${owner}/${repo}`.toLowerCase()) return [];
    const record = toRecord(issue);
    return record === undefined ? [] : [{ record, item, status: text(asObject(node?.status)?.name) }];
  }

  #named() {
    const { projectOwner: owner, project, statusField: status } = this.#settings;
    return { owner, project, status };
  }

  #projectOf(data: JsonObject): JsonObject {
    const found = asObject(asObject(data.repositoryOwner)?.projectV2);
    if (found !== undefined) return found;
    const { projectOwner, project } = this.#settings;
    throw answer(`${projectOwner} has no project ${project} that the token may see: it needs the scope read:project`);
  }

  /** The project and its field, which stay the same; an answer that failed is asked for again. */
  #known(signal?: AbortSignal): Promise<Facts> {
    this.#facts ??= this.#ask(signal);
    return this.#facts.catch((error: unknown) => {
      this.#facts = undefined;
      throw error;
    });
  }

  async #ask(signal?: AbortSignal): Promise<Facts> {
    const project = this.#projectOf(await this.#query(projectQuery, this.#named(), signal));
    const field = asObject(project.field);
    const [id, fieldId] = [text(project.id), text(field?.id)];
    if (id === null || fieldId === null) {
      throw answer(`The project has no field ${this.#settings.statusField} with values to choose from`);
    }
    const options = asList(field?.options).map((each) => asObject(each) ?? {});
    const named = options.map(({ name, id: option }) => [normalState(text(name) ?? ""), text(option) ?? ""] as const);
    return { id, fieldId, options: new Map(named) };
  }

  async #query(query: string, variables: JsonObject, signal?: AbortSignal): Promise<JsonObject> {
    const { data, errors } = await this.#client.graphql(query, variables, signal);
    const bad = asList(errors)
      .map((error) => asObject(error) ?? {})
      .find(({ type, path }) => type !== "NOT_FOUND" || asList(path).length !== 2 || asList(path)[0] !== "repository");
    const found = asObject(data);
    if (bad === undefined && found !== undefined) return found;
    throw answer(`GitHub did not answer (${text(bad?.message)?.slice(0, 200) ?? "no reason was given"})`);
  }
}

const answer = (problem: string) =>
  new TrackerError("tracker_response", `${problem}. Check tracker.provider.project and the token's scopes.`);
