import type { ModeKind } from "@quire/protocol";

/** The words of undoing turns. */
export const undoWords = {
  turn: "Undo this turn",
  edit: "Edit and resend",
  undo: "Undo",
  cancel: "Cancel",
  restore: "Restore",
  dismiss: "Dismiss",
  extent: "What to undo",
  both: "Files and conversation",
  files: "Files",
  conversation: "Conversation",
  bothNote: "Files go back to before your message. The message returns to the box so you can change it.",
  filesNote: "Files go back to before your message. The conversation stays.",
  conversationNote: "Your message returns to the box so you can change it. Files stay as they are.",
  untilSend: "You can restore it until you send a message.",
  comparing: "Comparing files",
  nothing: "No files changed since then.",
  editsOnly: "This turn has no checkpoint, so only the agent's own edits can be undone, not what commands changed.",
  next: "Your next message continues from here.",
} as const;

/** The words of the files panel and of choosing folders. */
export const fileWords = {
  tab: "Files",
  open: "Open file",
  filter: "Go to file",
  none: "No file matches.",
  noFolder: "No folder yet",
  noFolderHint: "Send a first message to see the files of its folder.",
  empty: "Empty folder",
  back: "All files",
  copyPath: "Copy path",
  openIn: (editor: string): string => `Open in ${editor}`,
  chooseEditor: "Choose editor",
  loading: "Loading",
  tooLarge: (size: string): string => `This file is too large to show (${size}). Open it in your editor.`,
  binary: "This is a binary file. Open it in your editor.",
  notFile: "This is not a file.",
  more: (count: number): string => `Show ${count} more`,
  browse: "Browse",
  chooseFolder: "Choose a folder",
  up: "Parent folder",
  choose: "Choose this folder",
  hidden: "Hidden folders",
  noFolders: "No folders in here",
  clone: "Clone a repository",
  address: "Repository address",
  cloneStart: "Clone",
} as const;

/** The words of worktrees. */
export const worktreeWords = {
  title: "Worktree",
  newThread: "New worktree",
  newThreadHint: "The thread gets a branch and a folder of its own",
  loading: "Loading",
  noRepository: "This folder is not in a git repository.",
  working: "Wait until the turn ends, or stop it.",
  worktree: "Worktree",
  local: "Local checkout",
  branch: "Branch",
  noBranch: "No branch",
  uncommitted: "Uncommitted",
  toWorktree: "Move to a new worktree",
  toWorktreeNote: "A new branch and folder. Uncommitted changes are copied; nothing changes here.",
  toLocal: "Move to the local checkout",
  toLocalNote: (main: string): string => `The changes come to ${main} as uncommitted ones. The worktree stays.`,
  moved: (folder: string): string => `The thread now works in ${folder}`,
  remove: "Remove worktree",
  removeNote: "Deletes the folder. The branch and its commits stay.",
  removeAsk: (folder: string): string => `Delete ${folder}?`,
  keptBranch: (branch: string): string => `The branch ${branch} stays.`,
  keptFiles: (files: string): string => `${files} are kept in a commit under refs/quire/worktrees.`,
  lostIgnored: (files: string): string => `${files} will be deleted for good.`,
  removeNow: "Delete folder",
  keep: "Keep",
  removed: "The worktree was removed. Its branch stays.",
  removedSaved: (commit: string): string => `The worktree was removed. Uncommitted files are in commit ${commit}.`,
} as const;

/** The words of the changes panel. */
export const gitWords = {
  message: "Commit message",
  messageHint: "What changed, and why",
  commit: (files: string): string => `Commit ${files}`,
  suggest: "Suggest",
  noHooks: "The repository's hooks do not run.",
  hunk: (lines: string): string => `Lines ${lines}`,
  commitHunk: (lines: string): string => `Commit lines ${lines}`,
  noMessage: "The model proposed no message. Write one, or try again.",
  createPull: "Create pull request",
  pull: "Pull request",
  pullTitle: "Title",
  pullBody: "Description",
  pullDraft: "Draft",
  create: "Create",
  cancel: "Cancel",
  loadingChecks: "Loading checks",
  noChecks: "No checks",
  checks: "Checks",
  passed: (count: number): string => `${count} passed`,
  failed: (count: number): string => `${count} failed`,
  running: (count: number): string => `${count} running`,
  states: { passed: "Passed", failed: "Failed", running: "Running" },
} as const;

/** The words of the settings. */
export const settingsWords = {
  title: "Settings",
  server: "Server",
  thisBrowser: "This browser",
  sections: {
    general: "General",
    keys: "Key bindings",
    devices: "Devices",
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
  permissions: "Permissions",
  external: "External sandbox",
  plusNetwork: " + network",
  customRules: "Custom rules",
  sandboxes: {
    readOnly: { label: "Read only", description: "Reads files. Asks before it changes anything." },
    workspaceWrite: { label: "Workspace", description: "Changes files in this folder. No network." },
    dangerFullAccess: { label: "Full access", description: "Changes anything and uses the network. No sandbox." },
  },
  policies: {
    untrusted: { label: "Ask always", description: "Asks before every command that is not known to be safe." },
    "on-request": { label: "Ask when needed", description: "Asks for more than the sandbox allows." },
    never: { label: "Never ask", description: "Whatever the sandbox blocks fails." },
  },
  reviewChoices: {
    user: { label: "You", description: "You approve or decline." },
    auto_review: { label: "Automatic reviewer", description: "A model answers for you and says why." },
  },
  reviewed: "Reviewed by",
  autoShort: "auto review",
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

/** The words of what needs the user. */
export const attentionWords = {
  needsYou: "Needs you",
  pinned: "Pinned",
  allThreads: "All threads",
  oneList: "Show as one list",
  byServer: "Group by server",
  pin: "Pin",
  unpin: "Unpin",
  snoozeHour: "Snooze for 1 hour",
  snoozeDay: "Snooze until tomorrow",
  unsnooze: "End snooze",
  snoozed: "Snoozed",
  next: "Next thread that needs you",
  nothing: "Nothing needs you right now.",
  states: {
    idle: "done",
    notLoaded: "",
    working: "working",
    waiting: "needs you",
    failed: "failed",
    disconnected: "offline",
  },
} as const;

/** The words of prices and costs. */
export const priceWords = {
  title: "Prices",
  intro: "US dollars per million tokens. Used to show what turns cost. Kept in this browser.",
  model: "Priced model",
  input: "Input",
  cached: "Cached input",
  output: "Output",
  set: "Set price",
  shown: (input: number, cached: number, output: number): string =>
    `$${input} input · $${cached} cached · $${output} output`,
  cost: "Cost",
} as const;

/** The words of work that is shown as one line. */
export const workWords = {
  commands: (count: number): string => (count === 1 ? "1 command" : `${count} commands`),
  calls: (count: number): string => (count === 1 ? "1 tool call" : `${count} tool calls`),
  failed: (count: number): string => `${count} failed`,
  thoughts: "Reasoning",
} as const;

/** The words of a thread that is taken along. */
export const exportWords = {
  markdown: "Export as Markdown",
  html: "Export as HTML",
  json: "Export as JSON",
  you: "You",
  agent: "Agent",
  plan: "Plan",
  review: "Review",
  failed: "Failed:",
  title: "Generate title",
} as const;

/** The words of answers to approvals. */
export const approvalWords = {
  declineWhy: "Decline with a reason",
  reason: "Reason",
  reasonHint: "What should the agent do instead?",
  decline: "Decline and send",
  declined: (reason: string): string => `Declined: ${reason}`,
} as const;

/** The words of comments on lines of a diff. */
export const commentWords = {
  title: "Comments on lines",
  on: (place: string): string => `Comment on ${place}`,
  edit: (place: string): string => `Edit comment on ${place}`,
  remove: (place: string): string => `Remove comment on ${place}`,
  hint: "What should change here?",
  add: "Comment",
  save: "Save",
  cancel: "Cancel",
  count: (count: number): string => (count === 1 ? "1 comment" : `${count} comments`),
  send: "Send to the agent",
  discard: "Discard",
  removedLine: "removed line",
  intro: "Please address my comments on these lines:",
  tooMany: "There are 100 comments already. Send them first.",
} as const;

/** The words of a review and its findings. */
export const reviewWords = {
  started: "Review started",
  ended: "Review ended",
  review: "Review",
  copy: "Copy review",
  addFinding: "Add to comments",
  added: "Added",
} as const;

/** The words of terminals. */
export const terminalWords = {
  title: "Terminal",
  nth: (number: number): string => `Terminal ${number}`,
  add: "New terminal",
  restart: "Restart shell",
  end: "End terminal",
  hide: "Minimize terminal",
  none: "No terminal here",
  notConnected: "The server is not connected.",
  opening: "Opening the terminal",
  broken: "The terminal could not be shown",
  failed: (why: string): string => `The terminal failed: ${why}`,
  ended: (exitCode: number | null): string =>
    exitCode === null || exitCode === 0 ? "The shell has ended." : `The shell has ended with code ${exitCode}.`,
} as const;

/** The words of previews. */
export const previewWords = {
  tab: "Preview",
  address: "Address of a dev server",
  hint: "Port or http://localhost:3000",
  open: "Open",
  reload: "Reload",
  newTab: "Open in a new tab",
  frame: (address: string): string => `Preview of ${address}`,
  none: "No preview yet",
  noneHint: "Enter the port of a dev server, or click its address in the terminal.",
  bad: "Enter a port or an address on localhost.",
  elsewhere: "Previews work in a browser on the server's machine.",
} as const;

/** The words of signing in. */
export const signInWords = {
  title: "Sign in to Quire",
  intro: "Open the address that quire up printed. Or enter a code: on a signed-in device, open Settings, Devices.",
  field: "Code, token or address",
  submit: "Sign in",
  wrong: "That code or token is not valid.",
  noAnswer: "Quire did not answer. Check that it is running, then try again.",
} as const;

/** The words of devices. */
export const deviceWords = {
  add: "Add a device",
  addHint: "Sign in on a phone or another computer.",
  pair: "Show code",
  paired: "A device was added.",
  scan: "Scan this, or open the address and enter the code.",
  code: "Code:",
  expires: "For one device, within 5 minutes.",
  qr: (origin: string): string => `QR code for ${origin}`,
  notReachable:
    "Only this machine can reach Quire now. Start it with --host or behind a proxy, then scan or enter the code.",
  news: "Push notifications",
  push: "Notify this device",
  pushHint: "When a turn ends or needs an answer, also while no page is open.",
  blocked: "The browser blocks notifications for this page. Allow them next to the address, then try again.",
  pushFailed: (why: string): string => `The browser could not subscribe: ${why}`,
  noPush: "Push needs https, or localhost.",
  signedIn: "Signed in",
  thisOne: "This device",
  seen: (day: string): string => `Last seen ${day}`,
  signOut: "Sign out",
  revoke: (name: string): string => `Sign out ${name}`,
  revokeNow: "Sign out now",
  keep: "Cancel",
} as const;

/** The words of the outline and of links into a thread. */
export const outlineWords = {
  tab: "Outline",
  none: "No messages yet",
  noneHint: "Your messages and the headings of the answers are listed here.",
  older: "Load earlier turns",
  attachment: "Attachment",
  copyLink: "Copy link",
  states: { inProgress: "Working", interrupted: "Stopped", failed: "Failed" } as Readonly<Record<string, string>>,
} as const;

/** The words of the composer. */
export const composerWords = {
  mode: "Mode",
  modes: {
    default: "Works on the task at once.",
    plan: "Looks, asks and proposes a plan. Changes nothing.",
  } as Readonly<Record<ModeKind, string>>,
  model: "Model",
  effort: "Effort",
  defaultModel: "Default model",
  modelsFailed: (why: string): string => `Could not list the models: ${why}`,
  modelsLoading: "Loading models",
  noModels: "This server lists no models. It uses its default.",
} as const;

/** The words of the layout. */
export const layoutWords = {
  resizeSidebar: "Resize sidebar",
  resizePanel: "Resize panel",
  resizeTerminal: "Resize terminal",
} as const;
