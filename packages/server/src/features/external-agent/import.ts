import { join } from "node:path";
import type {
  ExternalAgentConfigImportItemTypeFailure,
  ExternalAgentConfigImportItemTypeSuccess,
  ExternalAgentConfigMigrationItem,
} from "@quire/protocol";
import type { OpenConfig } from "../../config/open-config.ts";
import { errorMessage } from "../../lib/error-message.ts";
import type { Table } from "../../lib/table.ts";
import type { AgentPaths } from "./agent-paths.ts";
import type { Offers } from "./offers.ts";
import {
  newAgents,
  newCommands,
  newHooks,
  newInstructions,
  newServers,
  newSettings,
  newSkills,
  readText,
} from "./source.ts";
import { copyFolder, writeImport, writeSettings } from "./write-imports.ts";

type Success = ExternalAgentConfigImportItemTypeSuccess;
type Failure = ExternalAgentConfigImportItemTypeFailure;

/** The result of importing one item. */
export interface ImportResult {
  readonly successes: Success[];
  readonly failures: Failure[];
}

/** The target of an import. */
export interface Target {
  readonly paths: AgentPaths;
  readonly config: OpenConfig;
  readonly offered: Offers;
}

/** Imports one item, limited to what it names. Existing settings stay. Never throws. */
export function importItem(item: ExternalAgentConfigMigrationItem, { paths, config, offered }: Target): ImportResult {
  const { itemType, cwd } = item;
  const successes: Success[] = [];
  const failures: Failure[] = [];
  const done = (source: string, target: string = source) =>
    successes.push({ itemType, cwd: cwd ?? null, source, target, title: null });
  try {
    offered.check(paths, itemType);
    importers[itemType]?.(paths, { done, config, agreed: agreedOf(item) });
  } catch (error) {
    const message = errorMessage(error);
    failures.push({ itemType, cwd: cwd ?? null, source: null, errorType: null, failureStage: "import", message });
  }
  return { successes, failures };
}

interface Work {
  readonly done: (source: string, target?: string) => void;
  readonly config: OpenConfig;
  /** True when the user has agreed to import this name. */
  readonly agreed: (name: string) => boolean;
}

type Importer = (paths: AgentPaths, work: Work) => void;

const lists = {
  COMMANDS: "commands",
  HOOKS: "hooks",
  MCP_SERVER_CONFIG: "mcpServers",
  SKILLS: "skills",
  SUBAGENTS: "subagents",
} as const;

/** An item without a list stands for everything. */
function agreedOf({ itemType, details }: ExternalAgentConfigMigrationItem): Work["agreed"] {
  const list = itemType in lists ? details?.[lists[itemType as keyof typeof lists]] : undefined;
  const names = new Set((list ?? []).map(({ name }) => name));
  return names.size === 0 ? () => true : (name) => names.has(name);
}

function only(rows: Table, agreed: Work["agreed"]): Table {
  return Object.fromEntries(Object.entries(rows).filter(([name]) => agreed(name)));
}

const importers: Readonly<Partial<Record<ExternalAgentConfigMigrationItem["itemType"], Importer>>> = {
  CONFIG: (paths, { done, config }) => {
    writeSettings(config, paths, newSettings(paths));
    done(join(paths.source, "settings.json"), join(paths.config, "config.toml"));
  },
  MCP_SERVER_CONFIG: (paths, { done, config, agreed }) => {
    const servers = only(newServers(paths), agreed);
    writeSettings(config, paths, { mcp_servers: servers });
    for (const name of Object.keys(servers)) done(name);
  },
  HOOKS: (paths, { done, agreed }) => {
    const hooks = only(newHooks(paths), agreed);
    if (Object.keys(hooks).length === 0) return;
    writeImport(paths, join(paths.config, "hooks.json"), `${JSON.stringify({ hooks }, null, 2)}\n`);
    for (const name of Object.keys(hooks)) done(name);
  },
  SKILLS: (paths, { done, agreed }) => {
    for (const name of newSkills(paths).filter(agreed)) {
      copyFolder(paths, join(paths.source, "skills", name), join(paths.skills, name));
      done(name);
    }
  },
  COMMANDS: (paths, { done, agreed }) => {
    for (const { name, head, body } of newCommands(paths).filter((each) => agreed(each.name))) {
      const description = JSON.stringify(head.description ?? `The command ${name} of another agent`);
      const text = `---\nname: ${JSON.stringify(name)}\ndescription: ${description}\n---\n\n${body.trim()}\n`;
      writeImport(paths, join(paths.skills, name, "SKILL.md"), text);
      done(name);
    }
  },
  SUBAGENTS: (paths, { done, agreed }) => {
    for (const { name, head, body } of newAgents(paths).filter((each) => agreed(each.name))) {
      const rows = { name: head.name, description: head.description, developer_instructions: body.trim() };
      const lines = Object.entries(rows).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
      writeImport(paths, join(paths.config, "agents", `${name}.toml`), lines.join(""));
      done(name);
    }
  },
  AGENTS_MD: (paths, { done }) => {
    const path = newInstructions(paths);
    if (path === undefined) return;
    const text = readText(paths, path)
      .replaceAll("CLAUDE.md", "AGENTS.md")
      .replace(/\bClaude( Code)?\b/g, "Codex");
    writeImport(paths, paths.agentsMd, text);
    done(path, paths.agentsMd);
  },
};
