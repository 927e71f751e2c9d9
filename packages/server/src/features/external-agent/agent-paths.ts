import { join } from "node:path";
import { statIfExists } from "../../lib/stat-if-exists.ts";
import { repositoryRoot } from "../../workspace-files/real-path.ts";
import type { Access } from "../../workspace-files/root.ts";

/** Where another agent keeps its things, and where ours would be. */
export interface AgentPaths {
  /** `null` for the user's own. */
  readonly cwd: string | null;
  /** The other agent's folder. */
  readonly source: string;
  /** Folder of ours with `config.toml`, `hooks.json` and `agents`. */
  readonly config: string;
  readonly skills: string;
  /** Files that may hold instructions, in order of preference, and ours. */
  readonly instructions: readonly string[];
  readonly agentsMd: string;
  /** Files that may name MCP servers. */
  readonly servers: readonly string[];
  /** What the servers are of, for people. */
  readonly root: string;
  /** What may be read: of a project, only what lies in it. */
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

/** Whether a path is a file. */
export const isFile = (path: string): boolean => statIfExists(path)?.isFile() === true;
