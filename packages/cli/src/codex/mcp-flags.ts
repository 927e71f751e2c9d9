import { configFlags } from "../args/config-flags.ts";
import type { CommandSpec, Flags } from "../args/flag.ts";
import { programName } from "../args/program-name.ts";

/** `mcp`. */
export const mcpSpec: CommandSpec<typeof configFlags> = {
  name: `${programName} mcp`,
  summary: "List, add and remove MCP servers",
  operands: "COMMAND",
  flags: configFlags,
  commands: [
    ["list", "List the servers of the configuration"],
    ["get NAME", "Show one server"],
    ["add NAME -- COMMAND...", "Add a server that is a program"],
    ["add NAME --url URL", "Add a server on the network"],
    ["remove NAME", "Remove a server from config.toml"],
    ["login NAME", "Log in to a server by OAuth"],
    ["logout NAME", "Forget how you logged in to a server"],
  ],
};

const jsonFlags = {
  json: { type: "switch", help: "Print JSON, for programs." },
  ...configFlags,
} as const satisfies Flags;

/** `mcp list`. */
export const mcpListSpec: CommandSpec<typeof jsonFlags> = {
  name: `${programName} mcp list`,
  summary: "List the MCP servers of the configuration",
  flags: jsonFlags,
};

/** `mcp get`. */
export const mcpGetSpec: CommandSpec<typeof jsonFlags> = {
  name: `${programName} mcp get`,
  summary: "Show an MCP server",
  operands: "NAME",
  maxOperands: 1,
  flags: jsonFlags,
};

const registration = {
  type: "text",
  value: "AUTO|CIMD|DCR",
  choices: ["auto", "cimd", "dcr"],
  help: "How this login registers a client. Quire has no client metadata document (cimd).",
} as const;

const addFlags = {
  env: { type: "list", value: "KEY=VALUE", help: "A variable for the program's environment. May be repeated." },
  url: { type: "text", value: "URL", help: "The address of a server that speaks streamable HTTP." },
  bearerTokenEnvVar: { type: "text", value: "ENV_VAR", help: "The variable that holds the token for --url." },
  oauthClientId: { type: "text", value: "CLIENT_ID", help: "An OAuth client that you have registered for --url." },
  oauthClientSecret: { type: "text", value: "CLIENT_SECRET", help: "The secret of that client; kept in config.toml." },
  oauthClientRegistration: registration,
  oauthResource: { type: "text", value: "RESOURCE", help: "A resource that a login at --url asks for." },
  ...configFlags,
} as const satisfies Flags;

/** `mcp add`. */
export const mcpAddSpec: CommandSpec<typeof addFlags> = {
  name: `${programName} mcp add`,
  summary: "Add an MCP server to config.toml",
  operands: "NAME (--url URL | -- COMMAND...)",
  maxOperands: Number.POSITIVE_INFINITY,
  flags: addFlags,
  examples: [
    [`${programName} mcp add files -- npx -y @modelcontextprotocol/server-filesystem .`, "A program."],
    [`${programName} mcp add web --url https://example.com/mcp`, "A server on the network."],
  ],
};

const loginFlags = {
  scopes: { type: "text", value: "SCOPE,SCOPE", help: "OAuth scopes to ask for." },
  oauthClientRegistration: registration,
  noBrowser: {
    type: "switch",
    help: "Open no browser. Paste the address that yours ends on, if it is on another machine.",
  },
  ...configFlags,
} as const satisfies Flags;

/** `mcp login`. */
export const mcpLoginSpec: CommandSpec<typeof loginFlags> = {
  name: `${programName} mcp login`,
  summary: "Log in to an MCP server by OAuth",
  operands: "NAME",
  maxOperands: 1,
  flags: loginFlags,
};

/** `mcp remove`. */
export const mcpRemoveSpec: CommandSpec<typeof configFlags> = {
  name: `${programName} mcp remove`,
  summary: "Remove an MCP server from config.toml",
  operands: "NAME",
  maxOperands: 1,
  flags: configFlags,
};

/** `mcp logout`. */
export const mcpLogoutSpec: CommandSpec<typeof configFlags> = {
  name: `${programName} mcp logout`,
  summary: "Forget how you logged in to an MCP server",
  operands: "NAME",
  maxOperands: 1,
  flags: configFlags,
};
