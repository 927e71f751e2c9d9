export type { Compat } from "./context/compat.ts";
export { createLog, type Log, type LogLevel, type LogOptions, logLevels } from "./lib/log.ts";
export { codexVersion, quireVersion } from "./lib/version.ts";
export { type AcceptedConnection, createServer, type QuireServer, type ServerOptions } from "./server.ts";
