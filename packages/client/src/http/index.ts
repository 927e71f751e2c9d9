export { createHandler, type HandlerClient, type HandlerOptions } from "./handler.ts";
