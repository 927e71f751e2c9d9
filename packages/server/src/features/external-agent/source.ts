import { basename, dirname, join, relative, sep } from "node:path";
import { userConfig } from "../../config/write-config.ts";
import { isTable, type Table } from "../../lib/table.ts";
import { listFiles, listFolder } from "../../workspace-files/list-folder.ts";
import { readTextIfAny } from "../../workspace-files/read-file.ts";
import { isFile, type Places } from "./places.ts";

/** A file with a head of `key: value` lines between `---`. */
export interface Document {
  readonly path: string;
  readonly name: string;
  readonly head: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A longer file is no setting, and no instruction. */
const maxBytes = 4 << 20;

/** A file's text; empty where there is none that may be taken over. */
export function readText({ access }: Places, path: string): string {
  return readTextIfAny(path, { ...access, maxBytes }) ?? "";
}

/** A JSON file that is an object; empty for anything else. */
function readJson(places: Places, path: string): Table {
  try {
    const value: unknown = JSON.parse(readText(places, path));
    return isTable(value) ? value : {};
  } catch {
    return {};
  }
}

/** Settings of the other agent that ours has a place for and does not have yet, by their keys. */
export function newSettings(places: Places): Table {
  const { source, config } = places;
  const settings = readJson(places, join(source, "settings.json"));
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
export function newServers(places: Places): Readonly<Record<string, Table>> {
  const { servers, config } = places;
  const own = existing(config).mcp_servers;
  const rows = new Map<string, Table>();
  for (const path of servers) {
    const { mcpServers } = readJson(places, path);
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
export function newHooks(places: Places): Table {
  const { source, config } = places;
  if (isFile(join(config, "hooks.json")) || existing(config).hooks !== undefined) return {};
  const { hooks } = readJson(places, join(source, "settings.json"));
  return isTable(hooks) ? Object.fromEntries(Object.entries(hooks).filter(([, groups]) => Array.isArray(groups))) : {};
}

/** Names of skills that ours does not have. */
export function newSkills(places: Places): string[] {
  const { source, skills } = places;
  const folder = join(source, "skills");
  return names(places, folder).filter(
    (name) => readText(places, join(folder, name, "SKILL.md")) !== "" && !isFile(join(skills, name, "SKILL.md")),
  );
}

/** Agents with a name and a description that ours does not have. */
export function newAgents(places: Places): Document[] {
  const { source, config } = places;
  const folder = join(source, "agents");
  const files = names(places, folder).filter((name) => name.endsWith(".md"));
  return files
    .map((name) => readDocument(places, join(folder, name)))
    .filter(
      ({ head, name }) => Boolean(head.name && head.description) && !isFile(join(config, "agents", `${name}.toml`)),
    );
}

/** Commands that can be said as skills: those that take no arguments and insert nothing. */
export function newCommands(places: Places): Document[] {
  const { source, skills, access } = places;
  const folder = join(source, "commands");
  return listFiles(folder, access)
    .filter((path) => path.endsWith(".md"))
    .map((path) => ({ ...readDocument(places, path), name: commandName(relative(folder, path)) }))
    .filter(({ body, name }) => !isTemplate(body) && !isFile(join(skills, name, "SKILL.md")));
}

/** The other agent's instructions, where ours has none. */
export function newInstructions(places: Places): string | undefined {
  const { instructions, agentsMd } = places;
  const root = { path: dirname(agentsMd), trusted: true };
  // One that must not be read is one all the same: it is not written over.
  const hasOwn = isFile(agentsMd) && readTextIfAny(agentsMd, { ...places.access, root, maxBytes })?.trim() !== "";
  return hasOwn ? undefined : instructions.find((path) => readText(places, path).trim() !== "");
}

function existing(folder: string): Table {
  return isFile(join(folder, "config.toml")) ? userConfig(folder).values : {};
}

const commandName = (path: string): string =>
  `source-command-${path.replace(/\.md$/, "").split(sep).join("-").toLowerCase()}`;

const isTemplate = (body: string): boolean => /\$ARGUMENTS|\$\d|!`|(^|\s)@[\w./-]+/.test(body);

function readDocument(places: Places, path: string): Document {
  const text = readText(places, path);
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/.exec(text);
  const pairs = (match?.[1] ?? "").split(/\r?\n/).flatMap((line) => {
    const found = /^([\w-]+):\s*(.*?)\s*$/.exec(line);
    return found ? [[found[1] ?? "", (found[2] ?? "").replace(/^(["'])(.*)\1$/, "$2")] as const] : [];
  });
  const body = text.slice(match?.[0].length ?? 0);
  return { path, name: basename(path, ".md"), head: Object.fromEntries(pairs), body };
}

function names(places: Places, folder: string): string[] {
  return listFolder(folder, places.access).sort();
}
