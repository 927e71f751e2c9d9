export { createExecServer, type ExecServer, type ExecServerOptions } from "./exec-server.ts";
export { type ExecListenOptions, listenExecServer } from "./listen.ts";
