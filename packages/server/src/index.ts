export { createLog, type Log, type LogLevel, type LogOptions, logLevels } from "./log.ts";
export { type AcceptedConnection, createServer, type QuireServer, type ServerOptions } from "./server.ts";
export { codexVersion, quireVersion } from "./version.ts";
