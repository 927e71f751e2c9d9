import type { Handlers } from "../../context/processor.ts";
import { coreOf } from "../../features/open-core.ts";
import { invalidRequest } from "../../lib/rpc-errors.ts";

/** A client asks its user something by itself: the model does not lose patience with its commands meanwhile. */
export const handlers: Handlers = {
  "thread/increment_elicitation": ({ threadId }, { server }) => {
    const { elicitations } = coreOf(server).threads.require(threadId);
    elicitations.begin();
    return { count: elicitations.count, paused: true };
  },

  "thread/decrement_elicitation": ({ threadId }, { server }) => {
    const { elicitations } = coreOf(server).threads.require(threadId);
    if (!elicitations.end()) throw invalidRequest("out-of-band elicitation count is already zero");
    return { count: elicitations.count, paused: elicitations.count > 0 };
  },
};
