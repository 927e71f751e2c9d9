import { join, relative } from "node:path";
import type { ConfigLayer } from "@quire/protocol";
import type { ConfigFiles } from "../config/config-files.ts";
import { readServers } from "../config/mcp-config.ts";
import { valuesOf } from "../config/trust/record-project.ts";
import { findHooks } from "../hooks/find-hooks.ts";
import type { Table } from "../lib/table.ts";

interface ProjectHook {
  /** The key of the user's agreement. */
  readonly key: string;
  readonly hash: string;
  /** True when the user agreed to its present form. */
  readonly agreed: boolean;
  /** Relative to the project. */
  readonly file: string;
  readonly event: string;
  /** The command or tool. */
  readonly runs: string;
}

interface ProjectServer {
  readonly name: string;
  readonly file: string;
  /** The command line or address. */
  readonly runs: string;
}

/** The programs that a project would have a server run. */
export interface ProjectPrograms {
  readonly hooks: readonly ProjectHook[];
  /** Keys of agreed hooks that are gone. */
  readonly goneHooks: readonly string[];
  readonly servers: readonly ProjectServer[];
}

interface ProgramPlaces {
  readonly home: string;
  readonly files: ConfigFiles;
  /** As threads name it. */
  readonly project: string;
  /** Its `.codex` folders, as threads name them. */
  readonly folders: readonly string[];
  /** The user's config, with the agreements. */
  readonly user: Table;
}

/** The programs of a project, trusted or not. */
export function projectPrograms({ home, files, project, folders, user }: ProgramPlaces): ProjectPrograms {
  const own = folders.map((folder) => ({ folder, config: valuesOf(files, folder) }));
  const layers = [
    ...own.map(({ folder, config }) => ({ name: { type: "project", dotCodexFolder: folder }, config, version: "" })),
    { name: { type: "user", file: join(home, "config.toml"), profile: null }, config: user, version: "" },
  ] as ConfigLayer[];
  const { hooks, gone } = findHooks({ layers, folders, home });
  return {
    hooks: hooks.map(({ key, currentHash, trustStatus, sourcePath, event, command, tool }) => ({
      key,
      hash: currentHash,
      agreed: trustStatus === "trusted",
      file: relative(project, sourcePath),
      event: event.name,
      runs: tool ? `the tool ${tool.tool} of ${tool.server}` : command,
    })),
    goneHooks: gone,
    servers: own.flatMap(({ folder, config }) =>
      readServers(config).flatMap(({ name, transport }) => {
        if (transport.type === "invalid") return [];
        const runs = transport.type === "http" ? transport.url : [transport.command, ...transport.args].join(" ");
        return [{ name, file: relative(project, join(folder, "config.toml")), runs }];
      }),
    ),
  };
}
