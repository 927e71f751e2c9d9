import { configFlags } from "../args/config-flags.ts";
import type { CommandSpec, Flags } from "../args/flag.ts";
import { presets } from "./presets.ts";

const jsonFlags = {
  json: { type: "switch", help: "Print JSON, for programs." },
  ...configFlags,
} as const satisfies Flags;

/** `quire providers`. */
export const providersSpec: CommandSpec<typeof jsonFlags> = {
  name: "quire providers",
  summary: "List, add, test and remove model providers",
  operands: "[COMMAND]",
  flags: jsonFlags,
  commands: [
    ["list", "List providers, and servers of local models on this machine (default)"],
    ["add ID", "Add a provider to config.toml"],
    ["test ID", "Send one small request, and show what works"],
    ["remove ID", "Remove a provider from config.toml"],
  ],
};

/** `quire providers list`. */
export const listSpec: CommandSpec<typeof jsonFlags> = {
  name: "quire providers list",
  summary: "List providers, and servers of local models on this machine",
  flags: jsonFlags,
  notes: "* marks the default. Looks at the usual ports of Ollama, LM Studio, llama.cpp and vLLM on this machine.",
};

const addFlags = {
  url: { type: "text", value: "URL", help: "The address of its API, as in http://127.0.0.1:8000/v1." },
  name: { type: "text", value: "NAME", help: "Its name for people. Default: the id." },
  envKey: {
    type: "text",
    value: "ENV_VAR",
    help: "The variable that holds its key. The key itself is stored nowhere.",
  },
  wireApi: {
    type: "text",
    value: "API",
    choices: ["responses", "chat", "anthropic", "gemini"],
    help: "The API that it speaks.",
    fallback: "responses",
  },
  package: {
    type: "text",
    value: "PACKAGE",
    help: "The provider package of the AI SDK that speaks its API, in place of --wire-api.",
  },
  dialect: {
    type: "text",
    value: "DIALECT",
    choices: ["openai", "plain"],
    help: "The dialect of the Responses API.",
    fallback: "find out",
  },
  model: { type: "text", value: "MODEL", help: "Make it the default provider, with this model." },
  ...jsonFlags,
} as const satisfies Flags;

/** `quire providers add`. */
export const addSpec: CommandSpec<typeof addFlags> = {
  name: "quire providers add",
  summary: "Add a provider to config.toml",
  operands: "ID",
  maxOperands: 1,
  flags: addFlags,
  examples: [
    ["quire providers add openrouter", "A well-known one."],
    ["quire providers add mine --url http://127.0.0.1:9000/v1 --model qwen3-coder", "Your own, as the default."],
    ["quire providers add bedrock --package @ai-sdk/amazon-bedrock", "Any other, by a package that you install."],
  ],
  notes: `Well-known: ${[...presets.keys()].join(", ")}. Built in, without a table: openai, ollama, lmstudio.`,
};

const testFlags = {
  model: {
    type: "text",
    value: "MODEL",
    help: "The model to ask. Default: yours if it is the default provider, else the first it lists.",
  },
  ...jsonFlags,
} as const satisfies Flags;

/** `quire providers test`. */
export const testSpec: CommandSpec<typeof testFlags> = {
  name: "quire providers test",
  summary: "Send one small request, and show what works",
  operands: "ID",
  maxOperands: 1,
  flags: testFlags,
  notes: "Exits with 1 if a turn or a tool call does not work.",
};

/** `quire providers remove`. */
export const removeSpec: CommandSpec<typeof jsonFlags> = {
  name: "quire providers remove",
  summary: "Remove a provider from config.toml",
  operands: "ID",
  maxOperands: 1,
  flags: jsonFlags,
};
