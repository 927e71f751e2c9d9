import { configFlags } from "../args/config-flags.ts";
import type { Flags } from "../args/flag.ts";

/** Options that set up a thread. They may stand before the command's name too. */
export const threadFlags = {
  ...configFlags,
  model: { type: "text", short: "m", value: "MODEL", help: "The model to use; `quire models` lists them." },
  sandbox: {
    type: "text",
    short: "s",
    value: "SANDBOX_MODE",
    choices: ["read-only", "workspace-write", "danger-full-access"],
    help: "What commands of the model may touch.",
  },
  cd: { type: "text", short: "C", value: "DIR", fallback: "the current folder", help: "The folder to work in." },
  addDir: { type: "list", value: "DIR", help: "Another folder that may be written to. May be repeated." },
  image: { type: "list", short: "i", value: "FILE", many: true, help: "Images to show to the model with the prompt." },
  profile: {
    type: "text",
    short: "p",
    value: "NAME",
    help: "Use NAME.config.toml of the home folder on top of config.toml.",
  },
  fullAuto: { type: "switch", help: "The same as --sandbox workspace-write." },
  approveForMe: {
    type: "switch",
    help: "Have a model review what needs approval, in the workspace-write sandbox.",
  },
  dangerouslyBypassApprovalsAndSandbox: {
    type: "switch",
    aliases: ["yolo"],
    help: "Run everything, without a sandbox. Only for machines that are a sandbox themselves.",
  },
  askForApproval: {
    type: "text",
    short: "a",
    value: "APPROVAL_POLICY",
    choices: ["untrusted", "on-failure", "on-request", "never"],
    help: "Accepted for clients that pass it. Nobody can be asked here, so nothing that needs approval runs.",
  },
  oss: { type: "switch", help: "Use the local provider that --local-provider names." },
  localProvider: { type: "text", value: "PROVIDER", help: "A provider of config.toml that runs on this machine." },
  search: { type: "switch", help: "Let the model search the live web; the same as -c web_search=live." },
  strictConfig: { type: "switch", help: "Refuse to start when config.toml has fields that are not known." },
} as const satisfies Flags;

/** Options that may stand before the command's name. Those of Codex's terminal UI are accepted and left out. */
export const rootFlags = {
  ...threadFlags,
  remote: { type: "text", value: "ADDR", help: "For the terminal UI of Codex, which is not part of Quire." },
  remoteAuthTokenEnv: { type: "text", value: "ENV_VAR", help: "Goes with --remote." },
  noAltScreen: { type: "switch", help: "For the terminal UI." },
  noDaemon: { type: "switch", help: "For the terminal UI." },
} as const satisfies Flags;
