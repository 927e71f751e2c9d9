import type { TurnEnvironmentParams } from "@quire/protocol";
import { invalidRequest } from "../../lib/rpc-errors.ts";
import type { Environments } from "./environments.ts";

/** Where a thread's commands run from now on, and in which folder. */
export interface ChosenEnvironment {
  /** `null`: nowhere. */
  readonly environment: string | null;
  readonly cwd?: string;
  readonly runtimeWorkspaceRoots?: string[];
}

/** What a request asks for; `undefined` where it leaves that as it is. Throws what the client is to be told. */
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
