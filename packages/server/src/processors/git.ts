import type { Handlers } from "../context/processor.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";
import { diffToRemote } from "../thread/git-diff.ts";

/** The local changes of a folder that its remote lacks. */
export const handlers: Handlers = {
  gitDiffToRemote: async ({ cwd }, { server }) => {
    const diff = await diffToRemote(cwd, server.home);
    if (diff === undefined) {
      throw invalidRequest(`failed to compute git diff to remote for cwd: ${JSON.stringify(cwd)}`);
    }
    return diff;
  },
};
