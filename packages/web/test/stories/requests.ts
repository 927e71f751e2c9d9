import type { PendingRequest } from "../../src/state/model.ts";
import { hostile, request } from "./data.ts";

const words = ["npm", "test"];

/** One question of every kind, by a short name. */
export const askedRequests: Readonly<Record<string, PendingRequest>> = {
  command: request("r-command", "item/commandExecution/requestApproval", {
    itemId: "cmd-1",
    command: "/bin/bash -lc 'npm test -- --watch=false'",
    cwd: "/home/ada/engine",
    reason: "The tests need to write a cache outside of the folder.",
    proposedExecpolicyAmendment: words,
    availableDecisions: ["accept", { acceptWithExecpolicyAmendment: { execpolicy_amendment: words } }, "cancel"],
    startedAtMs: 0,
  }),
  plain: request("r-plain", "item/commandExecution/requestApproval", {
    itemId: "cmd-2",
    command: "ls",
    cwd: "/home/ada/engine",
    startedAtMs: 0,
  }),
  network: request("r-network", "item/commandExecution/requestApproval", {
    itemId: "cmd-3",
    command: "curl https://registry.npmjs.org/left-pad",
    cwd: "/home/ada/engine",
    networkApprovalContext: { host: "registry.npmjs.org", protocol: "https" },
    availableDecisions: [
      "accept",
      "acceptForSession",
      {
        applyNetworkPolicyAmendment: {
          network_policy_amendment: { host: "registry.npmjs.org", action: "allow" },
        },
      },
      "cancel",
    ],
    startedAtMs: 0,
  }),
  more: request("r-more", "item/commandExecution/requestApproval", {
    itemId: "cmd-4",
    command: "make install",
    additionalPermissions: { fileSystem: { write: ["/usr/local/bin"] }, network: { enabled: true } },
    availableDecisions: ["accept", "cancel"],
    startedAtMs: 0,
  }),
  patch: request("r-patch", "item/fileChange/requestApproval", {
    itemId: "patch-1",
    reason: "The file is outside of the workspace.",
    grantRoot: "/home/ada/engine/src",
    startedAtMs: 0,
  }),
  permissions: request("r-permissions", "item/permissions/requestApproval", {
    itemId: "perm-1",
    cwd: "/home/ada/engine",
    reason: "To fetch the dependencies.",
    permissions: { fileSystem: { write: ["/home/ada/.npm"], read: ["/etc/hosts"] }, network: { enabled: true } },
    startedAtMs: 0,
  }),
  legacyCommand: request("r-legacy-command", "execCommandApproval", {
    callId: "call-1",
    conversationId: "t1",
    command: ["git", "push"],
    cwd: "/home/ada/engine",
    parsedCmd: [],
  }),
  legacyPatch: request("r-legacy-patch", "applyPatchApproval", {
    callId: "call-2",
    conversationId: "t1",
    fileChanges: { "a.txt": { type: "add", content: "one\n" } },
  }),
  questions: request("r-questions", "item/tool/requestUserInput", {
    itemId: "ask-1",
    isBlocking: true,
    questions: [
      {
        id: "db",
        header: "Database",
        question: "Which database should it use?",
        isOther: true,
        options: [
          { label: "SQLite", description: "One file, nothing to install." },
          { label: "Postgres", description: "A server of its own." },
        ],
      },
      { id: "name", header: "Name", question: "What is the table called?", options: null },
      { id: "token", header: "Access", question: "Token for the registry", isSecret: true, options: null },
    ],
  }),
  form: request("r-form", "mcpServer/elicitation/request", {
    mode: "form",
    serverName: "bookings",
    message: `Who travels? ${hostile}`,
    requestedSchema: {
      type: "object",
      required: ["name", "email", "seats"],
      properties: {
        name: { type: "string", title: "Name", minLength: 2 },
        email: { type: "string", title: "E-mail", format: "email" },
        seats: { type: "integer", title: "Seats", minimum: 1, maximum: 9 },
        class: {
          type: "string",
          title: "Class",
          oneOf: [
            { const: "2", title: "Second" },
            { const: "1", title: "First" },
          ],
        },
        extras: { type: "array", title: "Extras", items: { type: "string", enum: ["Meal", "Window"] } },
        insure: { type: "boolean", title: "Insure the trip", default: true },
        note: { type: "string", title: "Note" },
      },
    },
  }),
  odd: request("r-odd", "mcpServer/elicitation/request", {
    mode: "openai/form",
    serverName: "bookings",
    message: "Draw a map",
    requestedSchema: { type: "object", properties: { map: { type: "object" } } },
  }),
  url: request("r-url", "mcpServer/elicitation/request", {
    mode: "url",
    serverName: "drive",
    message: "Let Quire read your files.",
    elicitationId: "e1",
    url: "https://accounts.example.org/consent?client=quire",
  }),
  script: request("r-script", "mcpServer/elicitation/request", {
    mode: "url",
    serverName: "evil",
    message: hostile,
    elicitationId: "e2",
    url: "javascript:window.hacked=1",
  }),
  tool: request("r-tool", "mcpServer/elicitation/request", {
    mode: "form",
    serverName: "files",
    message: 'Allow the files MCP server to run tool "remove"?',
    _meta: {
      codex_approval_kind: "mcp_tool_call",
      persist: ["session", "always"],
      tool_description: "Removes a file",
      tool_params: { path: "/tmp/x" },
    },
    requestedSchema: { type: "object", properties: {} },
  }),
  call: request("r-call", "item/tool/call", {
    callId: "call-3",
    tool: "weather",
    arguments: { city: "London" },
  }),
  unknown: request("r-unknown", "item/dance/request", { dance: "waltz" }),
};
