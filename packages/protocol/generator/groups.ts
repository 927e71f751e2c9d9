import { type Definitions, refsIn } from "./schema.ts";

/** Method prefixes whose group is not just their first segment. The longest that fits wins. */
const methodGroups: { readonly [prefix: string]: string } = {
  "thread/realtime": "realtime",
  "thread/environment": "environment",
  threadSection: "thread",
  memory: "thread",
  rollout: "thread",
  getConversationSummary: "thread",
  "item/commandExecution/requestApproval": "approval",
  "item/fileChange/requestApproval": "approval",
  "item/permissions/requestApproval": "approval",
  "item/autoApprovalReview": "approval",
  autoApprovalReview: "approval",
  applyPatchApproval: "approval",
  execCommandApproval: "approval",
  "item/tool": "tool",
  rawResponse: "response",
  rawResponseItem: "response",
  mcpServer: "mcp",
  mcpServerStatus: "mcp",
  "config/mcpServer": "mcp",
  accountSession: "account",
  attestation: "account",
  getAuthStatus: "account",
  configRequirements: "config",
  configWarning: "config",
  experimentalFeature: "config",
  permissionProfile: "config",
  externalAgentConfig: "external-agent",
  fuzzyFileSearch: "file-search",
  marketplace: "plugin",
  skills: "skill",
  hooks: "hook",
  modelProvider: "model",
  collaborationMode: "model",
  remoteControl: "remote-control",
  userVerification: "user-verification",
  windowsSandbox: "windows",
  gitDiffToRemote: "git",
  ...Object.fromEntries(
    ["initialize", "initialized", "error", "warning", "deprecationNotice", "guardianWarning", "serverRequest"]
      .concat(["currentTime", "mock"])
      .map((prefix) => [prefix, "server"]),
  ),
};

/** Groups of types that several groups refer to, by the words with which their names begin. The first that fits wins. */
const nameGroups: readonly (readonly [start: string, group: string])[] = [
  ["ThreadRealtime", "realtime"],
  ["Realtime", "realtime"],
  ["ThreadItem", "item"],
  ["ThreadId", "common"],
  ["Thread", "thread"],
  ["TurnEnvironment", "environment"],
  ["Turn", "turn"],
  ["CommandExecutionApproval", "approval"],
  ["CommandExecution", "item"],
  ["CommandAction", "item"],
  ["Plugin", "plugin"],
  ["Plugins", "plugin"],
  ["Skill", "skill"],
  ["Skills", "skill"],
  ["Hook", "hook"],
  ["Hooks", "hook"],
  ["Mcp", "mcp"],
  ["AppTool", "config"],
  ["Apps", "config"],
  ["App", "app"],
  ["Approvals", "approval"],
  ["Guardian", "approval"],
  ["Network", "approval"],
  ["Permission", "approval"],
  ["FileSystem", "approval"],
  ["Model", "model"],
  ["ReasoningEffort", "common"],
  ["Reasoning", "model"],
  ["Config", "config"],
  ["Sandbox", "config"],
  ["RateLimit", "account"],
  ["Remote", "remote-control"],
  ["UserVerification", "user-verification"],
  ["ResponseItem", "response"],
];

/** The group of a method: the file in which its params and result stand. */
function groupOfMethod(method: string): string {
  const segments = method.split("/");
  for (let length = segments.length; length > 0; length -= 1) {
    const group = methodGroups[segments.slice(0, length).join("/")];
    if (group !== undefined) return group;
  }
  return segments[0] ?? "common";
}

/** The group that the name of a type tells; `App` fits `AppInfo`, but not `ApprovalsReviewer`. */
const groupOfName = (name: string): string | undefined =>
  nameGroups.find(([start]) => name.startsWith(start) && !/^[a-z]/.test(name.slice(start.length)))?.[1];

/**
 * Gives every type a group: that of its method; else that of its name; else that of the types which refer to it, where
 * these are all in one group; else `common`.
 */
export function groupTypes(definitions: Definitions, methodOf: ReadonlyMap<string, string>): Map<string, string> {
  const groups = new Map<string, string>();
  for (const name of definitions.keys()) {
    const method = methodOf.get(name);
    const group = method === undefined ? groupOfName(name) : groupOfMethod(method);
    if (group !== undefined) groups.set(name, group);
  }
  const users = usersOf(definitions);
  for (let settled = false; !settled; ) {
    settled = true;
    for (const name of definitions.keys()) {
      if (groups.has(name)) continue;
      const theirs = new Set((users.get(name) ?? []).map((user) => groups.get(user)));
      const [group] = theirs;
      if (theirs.size !== 1 || group === undefined) continue;
      groups.set(name, group);
      settled = false;
    }
  }
  for (const name of definitions.keys()) if (!groups.has(name)) groups.set(name, "common");
  return groups;
}

/** Types that refer to each type, itself left aside. */
function usersOf(definitions: Definitions): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const [name, schema] of definitions) {
    for (const ref of refsIn(schema)) if (ref !== name) users.set(ref, [...(users.get(ref) ?? []), name]);
  }
  return users;
}
