import { cpSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type {
  ExternalAgentConfigImportItemTypeFailure,
  ExternalAgentConfigImportItemTypeSuccess,
  ExternalAgentConfigMigrationItem,
} from "@quire/protocol";
import { leaves, type Table } from "../config/table.ts";
import { writeConfig } from "../config/write-config.ts";
import type { Places } from "./places.ts";
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

/** Takes over one item. What is there already stays as it is. Never throws. */
export function importItem({ itemType, cwd }: ExternalAgentConfigMigrationItem, places: Places): ImportResult {
  const successes: Success[] = [];
  const failures: Failure[] = [];
  const done = (source: string, target: string = source) =>
    successes.push({ itemType, cwd: cwd ?? null, source, target, title: null });
  try {
    importers[itemType]?.(places, done);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    failures.push({ itemType, cwd: cwd ?? null, source: null, errorType: null, failureStage: "import", message });
  }
  return { successes, failures };
}

type Importer = (places: Places, done: (source: string, target?: string) => void) => void;

const importers: Readonly<Partial<Record<ExternalAgentConfigMigrationItem["itemType"], Importer>>> = {
  CONFIG: (places, done) => {
    write(places.config, newSettings(places));
    done(join(places.source, "settings.json"), join(places.config, "config.toml"));
  },
  MCP_SERVER_CONFIG: (places, done) => {
    const servers = newServers(places);
    write(places.config, { mcp_servers: servers });
    for (const name of Object.keys(servers)) done(name);
  },
  HOOKS: (places, done) => {
    const hooks = newHooks(places);
    put(join(places.config, "hooks.json"), `${JSON.stringify({ hooks }, null, 2)}\n`);
    for (const name of Object.keys(hooks)) done(name);
  },
  SKILLS: (places, done) => {
    for (const name of newSkills(places)) {
      mkdirSync(places.skills, { recursive: true });
      cpSync(join(places.source, "skills", name), join(places.skills, name), {
        recursive: true,
        // A project's may lead out of it; a user's are his own.
        filter: (path) => places.access.root.trusted === true || !lstatSync(path).isSymbolicLink(),
      });
      done(name);
    }
  },
  COMMANDS: (places, done) => {
    for (const { name, head, body } of newCommands(places)) {
      const description = JSON.stringify(head.description ?? `The command ${name} of another agent`);
      const text = `---\nname: ${JSON.stringify(name)}\ndescription: ${description}\n---\n\n${body.trim()}\n`;
      put(join(places.skills, name, "SKILL.md"), text);
      done(name);
    }
  },
  SUBAGENTS: (places, done) => {
    for (const { name, head, body } of newAgents(places)) {
      const rows = { name: head.name, description: head.description, developer_instructions: body.trim() };
      const lines = Object.entries(rows).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
      put(join(places.config, "agents", `${name}.toml`), lines.join(""));
      done(name);
    }
  },
  AGENTS_MD: (places, done) => {
    const path = newInstructions(places);
    if (path === undefined) return;
    put(
      places.agentsMd,
      readText(places, path)
        .replaceAll("CLAUDE.md", "AGENTS.md")
        .replace(/\bClaude( Code)?\b/g, "Codex"),
    );
    done(path, places.agentsMd);
  },
};

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function write(folder: string, values: Table): void {
  const edits = [...leaves(values)].map(([keyPath, value]) => ({ keyPath, value, merge: false }));
  if (edits.length > 0) writeConfig(folder, { edits });
}
