import { environmentsOf } from "../environment/environments.ts";
import { words } from "../environment/remote-environment.ts";
import type { Handlers } from "../processor.ts";
import { internalError, invalidRequest } from "../rpc-errors.ts";

/** Places where commands could run: this machine, and exec-servers. */
export const handlers: Handlers = {
  "environment/add": async (params, { server }) => {
    await environmentsOf(server)
      .add(params)
      .catch((error: unknown) => {
        throw invalidRequest(words(error));
      });
    return {};
  },

  "environment/status": async ({ environmentId }, { server }) => {
    const environments = environmentsOf(server);
    if (environments.has(environmentId)) return environments.status(environmentId);
    return { status: "unknown", error: `unknown environment id \`${environmentId}\`` };
  },

  "environment/info": async ({ environmentId }, { server }) => {
    const environments = environmentsOf(server);
    if (!environments.has(environmentId)) throw invalidRequest(`unknown environment id \`${environmentId}\``);
    return environments.info(environmentId).catch((error: unknown) => {
      throw internalError(`failed to get info for environment \`${environmentId}\`: ${words(error)}`);
    });
  },
};
