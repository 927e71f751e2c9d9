import type { RpcError } from "@quire/jsonrpc";
import type { ServerCore } from "../../features/open-core.ts";
import { invalidRequest } from "../../lib/rpc-errors.ts";

/** No stored thread has that id. */
export const noRollout = (threadId: string): RpcError => invalidRequest(`no rollout found for thread id ${threadId}`);

/** No thread, loaded or stored, has that id. */
export const notLoaded = (threadId: string): RpcError => invalidRequest(`thread not loaded: ${threadId}`);

/** The thread is archived, and what was asked needs one that is not. */
export const archivedError = (threadId: string): RpcError =>
  invalidRequest(`session ${threadId} is archived. Unarchive it first (thread/unarchive).`);

/** Refuses a project that does not exist. */
export function checkProject(core: ServerCore, projectId: string): void {
  if (!core.state.existing?.projects.get(projectId)) throw invalidRequest(`project not found: ${projectId}`);
}
