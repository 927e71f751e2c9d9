import type { GithubSettings } from "./settings.ts";

/** Paths that an agent may read with the user's credentials, besides those of its own issue. */
const readable =
  /^(\/(issues|pulls|labels|milestones|assignees|commits|comments|branches|tags|releases|contents|readme|compare|git|languages|check-runs|check-suites|statuses)(\/.*)?|\/actions\/(runs|jobs)(\/.*)?)?$/;

/** The repository as a whole, who has access to it, and its credentials: no agent changes those. */
const ofRepository =
  /^\/?$|^\/(transfer|collaborators|keys|hooks|invitations|environments|topics|rulesets|branches\/[^/]+\/protection|actions\/(secrets|variables|permissions)|dependabot\/secrets|codespaces\/secrets)(\/|$)/;

/** Parts of an issue that its agent may change, and of a pull request that the agent opened. */
const ofIssue = /^(\/comments|\/labels(\/[^/]+)?|\/assignees)?$/;

/** A request of the agent's, its path checked: no other host, nothing that leads upwards. */
export interface AskedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
}

/**
 * Permissions of an agent that uses the user's credential. The agent has read a stranger's text, so unless the workflow
 * says more it reads what the repository's readers see, changes the issue that it works on, and opens pull requests. It
 * merges nothing, approves nothing, and does not label other issues, which would start work on them.
 */
export class ToolScope {
  readonly #settings: GithubSettings;
  readonly #issue: string;
  readonly #opened = new Set<string>();

  /** @param issue Number of the issue that the agent works on. */
  constructor(settings: GithubSettings, issue: string) {
    this.#settings = settings;
    this.#issue = issue;
  }

  /** A sentence for the model. */
  get description(): string {
    const { toolScope } = this.#settings;
    if (toolScope === "any") return "";
    if (toolScope === "repo") {
      return ` Only paths below ${this.#root} are allowed, and no changes of the repository itself, its access and its secrets.`;
    }
    return ` Reads below ${this.#root}; changes issue ${this.#issue} (the issue itself, its comments, labels and assignees); opens pull requests (POST ${this.#root}/pulls), and then changes their title and text and comments on them.`;
  }

  /** Throws where the workflow does not allow a request. */
  check({ method, path }: AskedRequest): void {
    const { toolScope } = this.#settings;
    if (toolScope === "any") return;
    const isInside =
      path.toLowerCase() === this.#root.toLowerCase() || path.toLowerCase().startsWith(`${this.#root}/`.toLowerCase());
    if (!isInside) {
      throw new Error(
        `"${path}" lies outside of ${this.#root}. The workflow's tracker.provider.tool_scope allows no more.`,
      );
    }
    const rest = path.slice(this.#root.length);
    if (toolScope === "repo" ? method === "GET" || !ofRepository.test(rest) : this.#allows(method, rest)) return;
    throw new Error(
      `${method} ${path} is not allowed.${this.description} A person can allow more by tracker.provider.tool_scope.`,
    );
  }

  /** Notes a pull request that the agent opened by an answer of GitHub's. */
  note({ method, path }: AskedRequest, answer: string): void {
    if (method !== "POST" || path.slice(this.#root.length) !== "/pulls") return;
    try {
      const { number } = JSON.parse(answer) as { number?: unknown };
      if (Number.isSafeInteger(number)) this.#opened.add(String(number));
    } catch {
      // Then it is not known as the agent's own.
    }
  }

  get #root(): string {
    return `/repos/${this.#settings.owner}/${this.#settings.repo}`;
  }

  #allows(method: string, rest: string): boolean {
    if (method === "GET") return readable.test(rest);
    if (method === "POST" && rest === "/pulls") return true;
    const [, kind, number = "", part = ""] = /^\/(issues|pulls)\/([1-9]\d*)(\/.*)?$/.exec(rest) ?? [];
    if (kind === "issues" && number === this.#issue) return ofIssue.test(part);
    if (!this.#opened.has(number)) return false;
    return kind === "issues" ? method === "POST" && part === "/comments" : method === "PATCH" && part === "";
  }
}
