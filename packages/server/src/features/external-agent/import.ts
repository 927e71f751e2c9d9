import { join } from "node:path";
import type {
  ExternalAgentConfigImportItemTypeFailure,
  ExternalAgentConfigImportItemTypeSuccess,
  ExternalAgentConfigMigrationItem,
} from "@quire/protocol";
import type { OpenConfig } from "../../config/open-config.ts";
import type { Table } from "../../lib/table.ts";
import type { Offered } from "./offered.ts";
import type { Places } from "./places.ts";
import { copyFolder, putFile, putSettings } from "./put.ts";
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

type Success = ExternalAgentConfigImportItemTypeSuccess;
type Failure = ExternalAgentConfigImportItemTypeFailure;

/** What came of one item. */
export interface ImportResult {
  readonly successes: Success[];
  readonly failures: Failure[];
}

/** Where an item is taken over to. */
export interface Target {
  readonly places: Places;
  readonly config: OpenConfig;
  readonly offered: Offered;
}

/** Takes over one item, of it only what it names. What is there already stays as it is. Never throws. */
export function importItem(item: ExternalAgentConfigMigrationItem, { places, config, offered }: Target): ImportResult {
  const { itemType, cwd } = item;
  const successes: Success[] = [];
  const failures: Failure[] = [];
  const done = (source: string, target: string = source) =>
    successes.push({ itemType, cwd: cwd ?? null, source, target, title: null });
  try {
    offered.check(places, itemType);
    importers[itemType]?.(places, { done, config, agreed: agreedOf(item) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    failures.push({ itemType, cwd: cwd ?? null, source: null, errorType: null, failureStage: "import", message });
  }
  return { successes, failures };
}

interface Work {
  readonly done: (source: string, target?: string) => void;
  readonly config: OpenConfig;
  /** Whether the user has agreed to take over what has this name. */
  readonly agreed: (name: string) => boolean;
}

type Importer = (places: Places, work: Work) => void;

const lists = {
  COMMANDS: "commands",
  HOOKS: "hooks",
  MCP_SERVER_CONFIG: "mcpServers",
  SKILLS: "skills",
  SUBAGENTS: "subagents",
} as const;

/** An item that lists nothing stands for all there is. */
function agreedOf({ itemType, details }: ExternalAgentConfigMigrationItem): Work["agreed"] {
  const list = itemType in lists ? details?.[lists[itemType as keyof typeof lists]] : undefined;
  const names = new Set((list ?? []).map(({ name }) => name));
  return names.size === 0 ? () => true : (name) => names.has(name);
}

function only(rows: Table, agreed: Work["agreed"]): Table {
  return Object.fromEntries(Object.entries(rows).filter(([name]) => agreed(name)));
}

const importers: Readonly<Partial<Record<ExternalAgentConfigMigrationItem["itemType"], Importer>>> = {
  CONFIG: (places, { done, config }) => {
    putSettings(config, places, newSettings(places));
    done(join(places.source, "settings.json"), join(places.config, "config.toml"));
  },
  MCP_SERVER_CONFIG: (places, { done, config, agreed }) => {
    const servers = only(newServers(places), agreed);
    putSettings(config, places, { mcp_servers: servers });
    for (const name of Object.keys(servers)) done(name);
  },
  HOOKS: (places, { done, agreed }) => {
    const hooks = only(newHooks(places), agreed);
    if (Object.keys(hooks).length === 0) return;
    putFile(places, join(places.config, "hooks.json"), `${JSON.stringify({ hooks }, null, 2)}\n`);
    for (const name of Object.keys(hooks)) done(name);
  },
  SKILLS: (places, { done, agreed }) => {
    for (const name of newSkills(places).filter(agreed)) {
      copyFolder(places, join(places.source, "skills", name), join(places.skills, name));
      done(name);
    }
  },
  COMMANDS: (places, { done, agreed }) => {
    for (const { name, head, body } of newCommands(places).filter((each) => agreed(each.name))) {
      const description = JSON.stringify(head.description ?? `The command ${name} of another agent`);
      const text = `---\nname: ${JSON.stringify(name)}\ndescription: ${description}\n---\n\n${body.trim()}\n`;
      putFile(places, join(places.skills, name, "SKILL.md"), text);
      done(name);
    }
  },
  SUBAGENTS: (places, { done, agreed }) => {
    for (const { name, head, body } of newAgents(places).filter((each) => agreed(each.name))) {
      const rows = { name: head.name, description: head.description, developer_instructions: body.trim() };
      const lines = Object.entries(rows).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
      putFile(places, join(places.config, "agents", `${name}.toml`), lines.join(""));
      done(name);
    }
  },
  AGENTS_MD: (places, { done }) => {
    const path = newInstructions(places);
    if (path === undefined) return;
    const text = readText(places, path)
      .replaceAll("CLAUDE.md", "AGENTS.md")
      .replace(/\bClaude( Code)?\b/g, "Codex");
    putFile(places, places.agentsMd, text);
    done(path, places.agentsMd);
  },
};
