export { Approvals, type OpenApproval } from "./approvals.ts";
export { createHandler, type HandlerClient, type HandlerOptions } from "./handler.ts";
