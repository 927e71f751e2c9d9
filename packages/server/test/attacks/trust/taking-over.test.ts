/** Attacks: taking over another agent's settings. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { openConfig } from "../../../src/config/open-config.ts";
import { projectPaths } from "../../../src/features/external-agent/agent-paths.ts";
import { importItem } from "../../../src/features/external-agent/import.ts";
import { Offers } from "../../../src/features/external-agent/offers.ts";

interface Plot {
  readonly itemType: Parameters<typeof importItem>[0]["itemType"];
  /** What the repository brings of another agent, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** A path of the repository that is a link out of it. */
  readonly link: string;
  /** Where the link leads to, outside. */
  readonly target: string;
  /** The file outside that the attacker wants written. */
  readonly wanted: string;
}

/** A repository has a link where its user's server writes; one that follows it writes to a file of the user's. */
async function writesOutside({ itemType, files, link, target, wanted }: Plot, guarded: boolean): Promise<boolean> {
  await using folder = await tempDir("quire-take-");
  const root = join(folder.path, "repo");
  const outside = join(folder.path, "outside");
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  put(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  for (const [path, text] of Object.entries(files)) put(join(root, path), text);
  mkdirSync(outside);
  if (!/\.\w+$/.test(target)) mkdirSync(join(outside, target), { recursive: true });
  mkdirSync(dirname(join(root, link)), { recursive: true });
  symlinkSync(join(outside, target), join(root, link));
  if (!guarded) {
    // What a server did that writes wherever the path leads.
    const path = join(root, wantedInRepo({ link, target, wanted }));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "evil");
    return existsSync(join(outside, wanted));
  }
  const config = openConfig({ home: join(folder.path, "home"), env: {} });
  const paths = projectPaths(root, config.home);
  const item = { itemType, description: "", cwd: root };
  importItem(item, { paths, config, offered: new Offers() });
  return existsSync(join(outside, wanted)) && readFileSync(join(outside, wanted), "utf8") !== "";
}

/** The path in the repository by which the wanted file is reached. */
function wantedInRepo({ link, target, wanted }: Pick<Plot, "link" | "target" | "wanted">): string {
  return `${link}${wanted.slice(target.length)}`;
}

const mcp = JSON.stringify({ mcpServers: { x: { command: "true" } } });
const skill = "---\nname: s\ndescription: d\n---\nbody";

attack("writes a start-up file of the user's by AGENTS.md that links to it", (guarded) =>
  writesOutside(
    {
      itemType: "AGENTS_MD",
      files: { "CLAUDE.md": "touch evil" },
      link: "AGENTS.md",
      target: "profile.sh",
      wanted: "profile.sh",
    },
    guarded,
  ),
);
attack("writes settings outside of a project by a .codex that links out of it", (guarded) =>
  writesOutside(
    {
      itemType: "MCP_SERVER_CONFIG",
      files: { ".mcp.json": mcp },
      link: ".codex",
      target: "x",
      wanted: "x/config.toml",
    },
    guarded,
  ),
);
attack("writes settings outside of a project by a config.toml that links out of it", (guarded) =>
  writesOutside(
    {
      itemType: "MCP_SERVER_CONFIG",
      files: { ".mcp.json": mcp },
      link: ".codex/config.toml",
      target: "x.toml",
      wanted: "x.toml",
    },
    guarded,
  ),
);
attack("writes a skill outside of a project by a .agents that links out of it", (guarded) =>
  writesOutside(
    {
      itemType: "SKILLS",
      files: { ".claude/skills/s/SKILL.md": skill },
      link: ".agents",
      target: "x",
      wanted: "x/skills/s/SKILL.md",
    },
    guarded,
  ),
);
attack("writes a skill outside of a project by a folder of that name that links out of it", (guarded) =>
  writesOutside(
    {
      itemType: "SKILLS",
      files: { ".claude/skills/s/SKILL.md": skill },
      link: ".agents/skills/s",
      target: "x",
      wanted: "x/SKILL.md",
    },
    guarded,
  ),
);
attack("writes hooks outside of a project by a hooks.json that links out of it", (guarded) =>
  writesOutside(
    {
      itemType: "HOOKS",
      files: { ".claude/settings.json": '{"hooks":{"Stop":[]}}' },
      link: ".codex/hooks.json",
      target: "x.json",
      wanted: "x.json",
    },
    guarded,
  ),
);
