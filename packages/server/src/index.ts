export type { Compat } from "./context/compat.ts";
export { createLog, type Log, type LogLevel, type LogOptions, logLevels } from "./lib/log.ts";
export { codexVersion, quireVersion } from "./lib/version.ts";
export { forgetLogin } from "./mcp/credentials-file.ts";
export { type LoginContext, mcpLoginOffer, mcpLoginStatus } from "./mcp/login-status.ts";
export type { LoginOffer } from "./mcp/oauth-discovery.ts";
export { mcpOAuthRedirect } from "./mcp/oauth-redirect.ts";
export type { EmbeddedModel } from "./model/ai-sdk/embedded-models.ts";
export type { LanguageModel } from "./model/ai-sdk/language-model.ts";
export {
  type EndpointNotice,
  ModelError,
  type ModelProvider,
  type ModelRequest,
  type ModelResult,
  type ModelSink,
  type ToolSpec,
} from "./model/model-provider.ts";
export { type AcceptedConnection, createServer, type QuireServer, type ServerOptions } from "./server.ts";
