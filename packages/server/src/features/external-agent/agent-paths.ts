import { join } from "node:path";
import { statIfExists } from "../../lib/stat-if-exists.ts";
import { repositoryRoot } from "../../workspace-files/real-path.ts";
import type { Access } from "../../workspace-files/root.ts";

/** The paths of another agent's settings, and of ours. */
export interface AgentPaths {
  /** `null` for the user's own. */
  readonly cwd: string | null;
  /** The other agent's folder. */
  readonly source: string;
  /** Our folder with `config.toml`, `hooks.json` and `agents`. */
  readonly config: string;
  readonly skills: string;
  /** The other agent's instruction files, in order of preference. */
  readonly instructions: readonly string[];
  readonly agentsMd: string;
  /** Files that may name MCP servers. */
  readonly servers: readonly string[];
  /** The owner of the servers, for people. */
  readonly root: string;
  /** In a project, only its own files may be read. */
  readonly access: Access;
}

/** The user's own paths. */
export function userPaths(home: string, userHome: string): AgentPaths {
  const source = join(userHome, ".claude");
  return {
    cwd: null,
    source,
    config: home,
    skills: join(userHome, ".agents", "skills"),
    instructions: [join(source, "CLAUDE.md")],
    agentsMd: join(home, "AGENTS.md"),
    servers: [join(userHome, ".claude.json"), join(userHome, ".mcp.json")],
    root: userHome,
    access: { root: { path: userHome, trusted: true }, home },
  };
}

/** The paths of the project around a folder. */
export function projectPaths(cwd: string, home: string): AgentPaths {
  const root = repositoryRoot(cwd) ?? cwd;
  const source = join(root, ".claude");
  return {
    cwd: root,
    source,
    config: join(root, ".codex"),
    skills: join(root, ".agents", "skills"),
    instructions: [join(root, "CLAUDE.md"), join(source, "CLAUDE.md")],
    agentsMd: join(root, "AGENTS.md"),
    servers: [join(root, ".mcp.json")],
    root,
    access: { root: { path: root }, home },
  };
}

/** True when a path is a file. */
export const isFile = (path: string): boolean => statIfExists(path)?.isFile() === true;
