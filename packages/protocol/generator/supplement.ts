import type { Schema } from "./schema.ts";
import type { WireMethod } from "./surface.ts";

// Codex's JSON Schema output leaves out a few methods that its TypeScript output and the server itself have.
// The generator fails when one of them turns up in the schema, so this file cannot outlive its purpose.

/** Methods that the JSON Schema output leaves out. All of them are stable. */
export const supplementMethods: readonly WireMethod[] = [
  { method: "getConversationSummary", kind: "clientRequest", params: "GetConversationSummaryParams", optional: false },
  { method: "gitDiffToRemote", kind: "clientRequest", params: "GitDiffToRemoteParams", optional: false },
  { method: "getAuthStatus", kind: "clientRequest", params: "GetAuthStatusParams", optional: false },
  {
    method: "rawResponseItem/completed",
    kind: "serverNotification",
    params: "RawResponseItemCompletedNotification",
    optional: false,
  },
  {
    method: "rawResponse/completed",
    kind: "serverNotification",
    params: "RawResponseCompletedNotification",
    optional: false,
  },
];

const string: Schema = { type: "string" };
const nullableString: Schema = { type: ["string", "null"] };
const nullableBoolean: Schema = { type: ["boolean", "null"] };

const record = (properties: { [name: string]: Schema }, required: string[]): Schema => ({
  type: "object",
  properties,
  required,
});

/** Definitions that only those methods use, keyed as in the schema. */
export const supplementDefinitions: { readonly [name: string]: Schema } = {
  GetConversationSummaryParams: {
    anyOf: [
      record({ rolloutPath: string }, ["rolloutPath"]),
      record({ conversationId: { $ref: "#/definitions/ThreadId" } }, ["conversationId"]),
    ],
  },
  GetConversationSummaryResponse: record({ summary: { $ref: "#/definitions/ConversationSummary" } }, ["summary"]),
  ConversationSummary: record(
    {
      cliVersion: string,
      conversationId: { $ref: "#/definitions/ThreadId" },
      cwd: string,
      gitInfo: { anyOf: [{ $ref: "#/definitions/ConversationGitInfo" }, { type: "null" }] },
      modelProvider: string,
      path: string,
      preview: string,
      source: { $ref: "#/definitions/ConversationSource" },
      timestamp: nullableString,
      updatedAt: nullableString,
    },
    ["cliVersion", "conversationId", "cwd", "modelProvider", "path", "preview", "source"],
  ),
  ConversationGitInfo: record({ branch: nullableString, origin_url: nullableString, sha: nullableString }, []),
  // On the wire this is an older sibling of SessionSource, with other spellings; Codex calls both by one name.
  ConversationSource: {
    oneOf: [
      { type: "string", enum: ["cli", "vscode", "exec", "mcp", "unknown"] },
      { ...only("custom", string), title: "CustomConversationSource" },
      {
        ...only("internal", { type: "string", enum: ["memory_consolidation", "guardian"] }),
        title: "InternalConversationSource",
      },
      { ...only("subagent", { $ref: "#/definitions/SubAgentSource" }), title: "SubagentConversationSource" },
    ],
  },
  GitDiffToRemoteParams: record({ cwd: string }, ["cwd"]),
  GitDiffToRemoteResponse: record({ diff: string, sha: string }, ["diff", "sha"]),
  GetAuthStatusParams: record({ includeToken: nullableBoolean, refreshToken: nullableBoolean }, []),
  GetAuthStatusResponse: record(
    {
      authMethod: { anyOf: [{ $ref: "#/definitions/AuthMode" }, { type: "null" }] },
      authToken: nullableString,
      requiresOpenaiAuth: nullableBoolean,
    },
    [],
  ),
};

/** An object with exactly one key, as Rust writes an enum variant that carries data. */
function only(key: string, value: Schema): Exclude<Schema, boolean> {
  return { type: "object", properties: { [key]: value }, required: [key], additionalProperties: false };
}

/** Notifications that no schema lists: up to `last`, Codex sent every event a second time under such a name. */
export const legacyEvents: { readonly name: string; readonly last: string } = {
  name: "codex/event/*",
  last: "0.114.0",
};

/** Methods that a schema lists although the server refuses them: they count from the version that first answers. */
export const answeredSince: { readonly [method: string]: string } = { "thread/items/list": "0.151.0" };
