/** The words of the settings. */
export const settingsWords = {
  title: "Settings",
  server: "Server",
  thisBrowser: "This browser",
  sections: {
    general: "General",
    keys: "Key bindings",
    models: "Models",
    permissions: "Permissions",
    mcp: "MCP servers",
    skills: "Skills",
    hooks: "Hooks",
    plugins: "Plugins",
    rules: "Rules",
    config: "config.toml",
  },
  save: "Save",
  saved: "Saved.",
  cancel: "Cancel",
  remove: "Remove",
  edit: "Edit",
  add: "Add",
  refresh: "Refresh",
  notConnected: "This server is not connected.",
  overridden: "Saved, but a stronger setting overrides it: ",
} as const;

/** The words of everything about models and their providers. */
export const modelWords = {
  account: "Account",
  onThisMachine: "On this machine",
  none: "No Ollama, LM Studio, llama.cpp or vLLM is running here.",
  noModels: "No models installed",
  providers: "Providers",
  inUse: "In use",
  use: "Use",
  runModel: (model: string, name: string): string => `Use ${model} on ${name}`,
  addProvider: "Add provider",
  id: "ID",
  idHint: "Letters, digits, - and _. Cannot change later.",
  name: "Name",
  url: "Base URL",
  urlHint: "Such as http://127.0.0.1:8000/v1",
  key: "API key",
  keyHint: "Checked now. Stored in the server's config.toml.",
  keepKey: "Leave empty to keep the current key.",
  envKey: "Key from environment variable",
  headers: "Extra headers",
  headersHint: "One per line: Name: value",
  api: "API",
  dialect: "Dialect",
  dialects: { "": "Detect", openai: "OpenAI", plain: "Plain" },
  apis: {
    responses: "Responses",
    chat: "Chat Completions",
    anthropic: "Anthropic Messages",
    gemini: "Gemini",
  },
  onlyQuire: "Codex speaks the Responses API only.",
  model: "Model",
  modelHint: "Listed by the provider, or type one.",
  list: "Check and list models",
  found: (count: number): string => `The provider answers and lists ${count === 1 ? "1 model" : `${count} models`}.`,
  refused: (reason: string): string => `The provider refused this key: ${reason}. Nothing was saved.`,
  unknown: (reason: string): string => `Could not check: ${reason}`,
  badUrl: "Enter an address that starts with http:// or https://.",
  badId: "Use letters, digits, - and _.",
  takenId: "This ID is taken. Choose another.",
  badHeader: (line: string): string => `“${line}” is not a header. Write Name: value.`,
  removeFirst: "This provider is in use. Switch to another one first.",
  confirmRemove: (name: string): string => `Remove ${name} from config.toml?`,
  cannotRun: (name: string): string => `${name} is not set up: no base URL.`,
  noKeyIn: (name: string): string => `Key from ${name}`,
  connect: "Connect a model",
  defaultModel: "Default model",
} as const;

/** The words of the settings of this browser. */
export const generalWords = {
  appearance: "Appearance",
  theme: "Theme",
  themes: { system: "System", light: "Light", paper: "Paper", dark: "Dark", midnight: "Midnight" },
  fontSize: "Font size",
  fontSizes: { small: "Small", normal: "Normal", large: "Large", larger: "Larger" },
} as const;

/** The words of the key bindings. */
export const keyWords = {
  change: (what: string): string => `Change the key for “${what}”`,
  press: "Press the new keys. Esc cancels.",
  reset: "Reset all",
  taken: (what: string): string => `Already used for “${what}”.`,
  fixed: "These keys have another use. Choose others.",
} as const;

/** The words of the default permissions. */
export const permissionWords = {
  intro: "New threads start with these. You can change them in each thread.",
  sandbox: "Sandbox",
  network: "Allow network in the workspace sandbox",
  approvals: "Approvals",
  reviewer: "Who reviews approvals",
  reviewers: { user: "You", auto_review: "Automatic reviewer" },
  reviewerHint: "The automatic reviewer answers for you, and says why.",
  serverDefault: "Server default",
} as const;

/** The words of the MCP servers. */
export const mcpWords = {
  add: "Add MCP server",
  name: "Name",
  nameHint: "Letters, digits, - and _.",
  kind: "Connect by",
  kinds: { command: "Command", url: "URL" },
  command: "Command",
  commandHint: "Such as: npx -y @modelcontextprotocol/server-everything",
  url: "URL",
  environment: "Environment",
  environmentHint: "One per line: NAME=value",
  tokenVariable: "Bearer token from environment variable",
  enabled: (name: string): string => `Enable ${name}`,
  confirm: (name: string): string => `Remove ${name}?`,
  remove: (name: string): string => `Remove ${name}`,
  none: "No MCP servers yet. They give the agent more tools.",
  log: "Log",
  noLog: "Nothing yet. Starts and failures appear here.",
  badName: "Use letters, digits, - and _.",
  taken: "This name is taken.",
  badLine: (line: string): string => `“${line}” is not a variable. Write NAME=value.`,
  badUrl: "Enter an address that starts with http:// or https://.",
  noCommand: "Enter a command.",
} as const;

/** The words of skills, hooks, plugins and rules. */
export const extensionWords = {
  noSkills: "No skills found. Put one in the skills folder of the server's home.",
  enable: (name: string): string => `Enable ${name}`,
  noHooks: "No hooks. Add them to hooks.json or config.toml.",
  trust: "Trust",
  trustThis: (name: string): string => `Trust ${name}`,
  trusts: {
    managed: "Managed",
    untrusted: "Not trusted",
    trusted: "Trusted",
    modified: "Changed since you trusted it",
  },
  noPlugins: "No plugins. Add a marketplace first.",
  install: (name: string): string => `Install ${name}`,
  uninstall: (name: string): string => `Uninstall ${name}`,
  installed: "Installed",
  marketplace: "Marketplace",
  marketplaceHint: "Folder or Git address",
  addMarketplace: "Add marketplace",
  rulesIntro: "Rules decide which commands run without asking. A file with a mistake is left out, with a warning.",
  newRules: "New file",
  rulesName: "File name",
  rulesHint: "Ends in .rules",
  badRulesName: "Use letters, digits, - and _, ending in .rules.",
} as const;

/** The words of the text of a configuration. */
export const configWords = {
  label: "Text of config.toml",
  intro: (path: string): string => `${path}. Checked before it is kept.`,
  changed: "The file changed meanwhile. Refresh, then edit again.",
  refused: (why: string): string => `Not saved: ${why}`,
} as const;
