import { join, relative } from "node:path";
import type { ConfigLayer } from "@quire/protocol";
import type { ConfigFiles } from "../config/config-files.ts";
import { readServers } from "../config/mcp-config.ts";
import { valuesOf } from "../config/trust/record-project.ts";
import { findHooks } from "../hooks/find-hooks.ts";
import type { Table } from "../lib/table.ts";

/** A hook that a project brings. */
interface ProjectHook {
  /** Under which the user's agreement is stored. */
  readonly key: string;
  readonly hash: string;
  /** Whether the user has agreed to it as it is. */
  readonly agreed: boolean;
  /** The file that brings it, relative to the project. */
  readonly file: string;
  readonly event: string;
  /** The command, or the tool that is called. */
  readonly runs: string;
}

/** An MCP server that a project brings. */
interface ProjectServer {
  readonly name: string;
  readonly file: string;
  /** The command line or the address. */
  readonly runs: string;
}

/** What a project would have a server run. */
export interface ProjectPrograms {
  readonly hooks: readonly ProjectHook[];
  /** Keys of hooks that the user agreed to and that are gone. */
  readonly goneHooks: readonly string[];
  readonly servers: readonly ProjectServer[];
}

/** Where a project's programs are looked for. */
interface ProgramPlaces {
  readonly home: string;
  readonly files: ConfigFiles;
  /** The project's folder, as threads name it. */
  readonly project: string;
  /** Its `.codex` folders, as threads name them. */
  readonly folders: readonly string[];
  /** The user's own config, which says what was agreed to. */
  readonly user: Table;
}

/** What a project brings, whether it is trusted or not. */
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
