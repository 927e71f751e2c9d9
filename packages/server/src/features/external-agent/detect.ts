import { join } from "node:path";
import type { ExternalAgentConfigMigrationItem, MigrationDetails } from "@quire/protocol";
import type { AgentPaths } from "./agent-paths.ts";
import { newAgents, newCommands, newHooks, newInstructions, newServers, newSettings, newSkills } from "./source.ts";

type Item = ExternalAgentConfigMigrationItem;
type Named = { readonly name: string };

/** Settings of another agent that could be imported and are not here yet. */
export function detect(paths: AgentPaths): Item[] {
  const { source, config, skills, cwd, root } = paths;
  const items: Item[] = [];
  const offer = (itemType: Item["itemType"], from: string, to: string, details: MigrationDetails | null = null) =>
    items.push({ itemType, description: `Take over ${from} to ${to}`, cwd, details });
  const toml = join(config, "config.toml");
  if (Object.keys(newSettings(paths)).length > 0) offer("CONFIG", join(source, "settings.json"), toml);
  const servers = Object.keys(newServers(paths)).map(named);
  if (servers.length > 0) offer("MCP_SERVER_CONFIG", `MCP servers of ${root}`, toml, allLists({ mcpServers: servers }));
  const hooks = Object.keys(newHooks(paths)).map(named);
  if (hooks.length > 0) offer("HOOKS", `hooks of ${source}`, join(config, "hooks.json"), allLists({ hooks }));
  const found = newSkills(paths).map(named);
  if (found.length > 0) offer("SKILLS", join(source, "skills"), skills, allLists({ skills: found }));
  const commands = newCommands(paths).map(({ name }) => named(name));
  if (commands.length > 0) offer("COMMANDS", join(source, "commands"), skills, allLists({ commands }));
  const subagents = newAgents(paths).map(({ name }) => named(name));
  if (subagents.length > 0) offer("SUBAGENTS", join(source, "agents"), join(config, "agents"), allLists({ subagents }));
  const instructions = newInstructions(paths);
  if (instructions !== undefined) offer("AGENTS_MD", instructions, paths.agentsMd);
  return items;
}

const named = (name: string): Named => ({ name });

/** Details with every list, empty but for the given ones. */
export function allLists(given: MigrationDetails): MigrationDetails {
  return { plugins: [], skills: [], sessions: [], mcpServers: [], hooks: [], subagents: [], commands: [], ...given };
}
