import { ErrorCode, RpcError } from "@quire/jsonrpc";
import type { Handlers } from "../../context/processor.ts";
import { coreOf } from "../../features/open-core.ts";
import { notifyReadState } from "../../features/unread/read-marks.ts";
import { invalidParams, invalidRequest } from "../../lib/rpc-errors.ts";
import { isThreadId } from "../../thread/thread-manager.ts";
import { readRecord } from "./read-record.ts";

/** Read marks of threads. */
export const handlers: Handlers = {
  "thread/readState/update": async ({ threadId, expectedRevision, operation }, { server }) => {
    const core = coreOf(server);
    if (!isThreadId(threadId)) throw invalidParams(`invalid thread id: ${JSON.stringify(threadId)} is not a UUID`);
    const { thread } = await readRecord(core, threadId);
    if (thread && !thread.stored) throw invalidRequest("thread read state unavailable");
    const { readStates } = core.state.tables;
    const before = readStates.get(threadId);
    if (before.revision !== expectedRevision) {
      const data = { reason: "readStateConflict", readState: before };
      throw new RpcError({ code: ErrorCode.invalidRequest, message: "read state changed", data });
    }
    const readState = readStates.put(threadId, operation.type === "unread" ? { type: "threadStart" } : null);
    if (thread) notifyReadState(thread, readState);
    return { readState };
  },
};
