import type { GitInfo } from "@quire/protocol";
import { findRepository } from "../git/find-repository.ts";
import { originUrl } from "../git/origin-url.ts";
import { readHead } from "../git/read-head.ts";
import { withoutCredentials } from "./without-credentials.ts";

/** The commit, branch and origin of a folder, read from git's files: no process; `undefined` where it is in no repository. */
export async function gitInfo(cwd: string): Promise<GitInfo | undefined> {
  const repository = findRepository(cwd);
  if (repository === undefined) return undefined;
  const url = originUrl(repository);
  // It is stored and sent to every client.
  return { ...readHead(repository), originUrl: url === null ? null : withoutCredentials(url) };
}
