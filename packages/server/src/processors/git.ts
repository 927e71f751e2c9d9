import type { Handlers } from "../context/processor.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";
import { diffToRemote } from "../thread/git-diff.ts";

/** What a folder has that its remote has not. */
export const handlers: Handlers = {
  gitDiffToRemote: async ({ cwd }, { server }) => {
    const diff = await diffToRemote(cwd, server.home);
    if (diff === undefined) {
      throw invalidRequest(`failed to compute git diff to remote for cwd: ${JSON.stringify(cwd)}`);
    }
    return diff;
  },
};
