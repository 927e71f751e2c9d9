import { basename, dirname, join, relative, sep } from "node:path";
import { userConfig } from "../../config/write-config.ts";
import { isTable, type Table } from "../../lib/table.ts";
import { listFiles, listFolder } from "../../workspace-files/list-folder.ts";
import { readTextIfAny } from "../../workspace-files/read-file.ts";
import { type AgentPaths, isFile } from "./agent-paths.ts";

/** A file with a head of `key: value` lines between `---`. */
export interface Document {
  readonly path: string;
  readonly name: string;
  readonly head: Readonly<Record<string, string>>;
  readonly body: string;
}

const maxBytes = 4 << 20;

/** A file's text; empty where there is none that may be taken over. */
export function readText({ access }: AgentPaths, path: string): string {
  return readTextIfAny(path, { ...access, maxBytes }) ?? "";
}

/** A JSON object; empty for anything else. */
function readJson(paths: AgentPaths, path: string): Table {
  try {
    const value: unknown = JSON.parse(readText(paths, path));
    return isTable(value) ? value : {};
  } catch {
    return {};
  }
}

/** Settings of the other agent that ours has a place for and does not have yet, by their keys. */
export function newSettings(paths: AgentPaths): Table {
  const { source, config } = paths;
  const settings = readJson(paths, join(source, "settings.json"));
  const own = existing(config);
  const env = isTable(settings.env)
    ? Object.entries(settings.env).filter(([, value]) => ["string", "number", "boolean"].includes(typeof value))
    : [];
  return {
    ...(isTable(settings.sandbox) &&
      settings.sandbox.enabled === true &&
      own.sandbox_mode === undefined && { sandbox_mode: "workspace-write" }),
    ...(env.length > 0 &&
      own.shell_environment_policy === undefined && {
        shell_environment_policy: {
          inherit: "core",
          set: Object.fromEntries(env.map(([name, value]) => [name, String(value)])),
        },
      }),
  };
}

/** MCP servers that ours does not have, as rows of `[mcp_servers]`. */
export function newServers(paths: AgentPaths): Readonly<Record<string, Table>> {
  const { servers, config } = paths;
  const own = existing(config).mcp_servers;
  const rows = new Map<string, Table>();
  for (const path of servers) {
    const { mcpServers } = readJson(paths, path);
    for (const [name, server] of Object.entries(isTable(mcpServers) ? mcpServers : {})) {
      const row = isTable(server) ? serverRow(server) : undefined;
      if (row && !(isTable(own) && Object.hasOwn(own, name)) && !rows.has(name)) rows.set(name, row);
    }
  }
  return Object.fromEntries(rows);
}

function serverRow({ command, args, env, url, headers, disabled }: Table): Table | undefined {
  if (disabled === true) return undefined;
  if (typeof command === "string") {
    return {
      command,
      ...(Array.isArray(args) && args.length > 0 && { args: args.map(String) }),
      ...(isTable(env) && Object.keys(env).length > 0 && { env }),
    };
  }
  if (typeof url !== "string") return undefined;
  return { url, ...(isTable(headers) && Object.keys(headers).length > 0 && { http_headers: headers }) };
}

/** Hooks, where ours has none. */
export function newHooks(paths: AgentPaths): Table {
  const { source, config } = paths;
  if (isFile(join(config, "hooks.json")) || existing(config).hooks !== undefined) return {};
  const { hooks } = readJson(paths, join(source, "settings.json"));
  return isTable(hooks) ? Object.fromEntries(Object.entries(hooks).filter(([, groups]) => Array.isArray(groups))) : {};
}

/** Names of skills that ours does not have. */
export function newSkills(paths: AgentPaths): string[] {
  const { source, skills } = paths;
  const folder = join(source, "skills");
  return names(paths, folder).filter(
    (name) => readText(paths, join(folder, name, "SKILL.md")) !== "" && !isFile(join(skills, name, "SKILL.md")),
  );
}

/** Agents with a name and a description that ours does not have. */
export function newAgents(paths: AgentPaths): Document[] {
  const { source, config } = paths;
  const folder = join(source, "agents");
  const files = names(paths, folder).filter((name) => name.endsWith(".md"));
  return files
    .map((name) => readDocument(paths, join(folder, name)))
    .filter(
      ({ head, name }) => Boolean(head.name && head.description) && !isFile(join(config, "agents", `${name}.toml`)),
    );
}

/** Commands that can become skills: without arguments and insertions. */
export function newCommands(paths: AgentPaths): Document[] {
  const { source, skills, access } = paths;
  const folder = join(source, "commands");
  return listFiles(folder, access)
    .filter((path) => path.endsWith(".md"))
    .map((path) => ({ ...readDocument(paths, path), name: commandName(relative(folder, path)) }))
    .filter(({ body, name }) => !isTemplate(body) && !isFile(join(skills, name, "SKILL.md")));
}

/** The other agent's instructions, where ours has none. */
export function newInstructions(paths: AgentPaths): string | undefined {
  const { instructions, agentsMd } = paths;
  const root = { path: dirname(agentsMd), trusted: true };
  // An unreadable file counts as existing and is not overwritten.
  const hasOwn = isFile(agentsMd) && readTextIfAny(agentsMd, { ...paths.access, root, maxBytes })?.trim() !== "";
  return hasOwn ? undefined : instructions.find((path) => readText(paths, path).trim() !== "");
}

function existing(folder: string): Table {
  return isFile(join(folder, "config.toml")) ? userConfig(folder).values : {};
}

const commandName = (path: string): string =>
  `source-command-${path.replace(/\.md$/, "").split(sep).join("-").toLowerCase()}`;

const isTemplate = (body: string): boolean => /\$ARGUMENTS|\$\d|!`|(^|\s)@[\w./-]+/.test(body);

function readDocument(paths: AgentPaths, path: string): Document {
  const text = readText(paths, path);
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/.exec(text);
  const pairs = (match?.[1] ?? "").split(/\r?\n/).flatMap((line) => {
    const found = /^([\w-]+):\s*(.*?)\s*$/.exec(line);
    return found ? [[found[1] ?? "", (found[2] ?? "").replace(/^(["'])(.*)\1$/, "$2")] as const] : [];
  });
  const body = text.slice(match?.[0].length ?? 0);
  return { path, name: basename(path, ".md"), head: Object.fromEntries(pairs), body };
}

function names(paths: AgentPaths, folder: string): string[] {
  return listFolder(folder, paths.access).sort();
}
