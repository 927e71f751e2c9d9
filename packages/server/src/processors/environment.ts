import type { Handlers } from "../context/processor.ts";
import { coreOf } from "../features/open-core.ts";
import { errorMessage } from "../lib/error-message.ts";
import { internalError, invalidRequest } from "../lib/rpc-errors.ts";

/** Places where commands could run: this machine, and exec-servers. */
export const handlers: Handlers = {
  "environment/add": async (params, { server }) => {
    await coreOf(server)
      .environments()
      .add(params)
      .catch((error: unknown) => {
        throw invalidRequest(errorMessage(error));
      });
    return {};
  },

  "environment/status": async ({ environmentId }, { server }) => {
    const environments = coreOf(server).environments();
    if (environments.has(environmentId)) return environments.status(environmentId);
    return { status: "unknown", error: `unknown environment id \`${environmentId}\`` };
  },

  "environment/info": async ({ environmentId }, { server }) => {
    const environments = coreOf(server).environments();
    if (!environments.has(environmentId)) throw invalidRequest(`unknown environment id \`${environmentId}\``);
    return environments.info(environmentId).catch((error: unknown) => {
      throw internalError(`failed to get info for environment \`${environmentId}\`: ${errorMessage(error)}`);
    });
  },
};
