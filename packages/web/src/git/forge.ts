/** A repository at a forge whose command line program can make pull requests. */
export interface Forge {
  readonly tool: "gh" | "glab";
  /** As the program takes it: `host/owner/name`. */
  readonly repository: string;
  /** The page where a pull request of a branch is made. */
  readonly page: (branch: string) => string;
}

/** The forge of a remote; null for one whose pages are not known. */
export function forgeOf(remoteUrl: string | null): Forge | null {
  const match =
    /^(?:https?:\/\/(?:[^@/]+@)?|ssh:\/\/(?:[^@/]+@)?|[\w.-]+@)([\w.-]+)(?::\d+)?[/:](.+?)(?:\.git)?\/?$/.exec(
      remoteUrl ?? "",
    );
  if (match === null) return null;
  const [, host = "", path = ""] = match;
  const repository = `${host}/${path}`;
  if (/gitlab/i.test(host)) {
    const page = (branch: string): string =>
      `https://${repository}/-/merge_requests/new?merge_request[source_branch]=${encodeURIComponent(branch)}`;
    return { tool: "glab", repository, page };
  }
  if (!/github/i.test(host)) return null;
  return {
    tool: "gh",
    repository,
    page: (branch) => `https://${repository}/compare/${encodeURIComponent(branch)}?expand=1`,
  };
}
