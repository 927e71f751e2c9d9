import type { TurnEnvironmentParams } from "@quire/protocol";
import { invalidRequest } from "../../lib/rpc-errors.ts";
import type { Environments } from "./environments.ts";

/** The environment and folder of a thread's commands. */
export interface ChosenEnvironment {
  readonly environment: string | null;
  readonly cwd?: string;
  readonly runtimeWorkspaceRoots?: string[];
}

/** The environment that a request asks for; `undefined` when it changes nothing. Throws errors for the client. */
export function chosenEnvironment(
  environments: Environments,
  given: readonly TurnEnvironmentParams[] | null | undefined,
): ChosenEnvironment | undefined {
  if (!given) return undefined;
  const unknown = given.find(({ environmentId }) => !environments.has(environmentId));
  if (unknown) throw invalidRequest(`unknown turn environment id \`${unknown.environmentId}\``);
  const [first, ...more] = given;
  if (more.length > 0)
    throw invalidRequest("a thread works in one environment at a time: name one, or start two threads");
  if (!first) return { environment: null, runtimeWorkspaceRoots: [] };
  const { environmentId: environment, cwd, runtimeWorkspaceRoots } = first;
  return { environment, cwd, runtimeWorkspaceRoots: runtimeWorkspaceRoots ?? [cwd] };
}
