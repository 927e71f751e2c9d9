import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import { runTurn, startThread } from "../../lib/steps.ts";

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function makeSkills(root: string): void {
  const skill = (folder: string, head: string) => put(join(root, folder, "SKILL.md"), `---\n${head}\n---\nBody`);
  const extras = (folder: string, text: string) => put(join(root, folder, "agents/openai.yaml"), text);
  skill("full", "name: full\ndescription: has all\nmetadata:\n  short-description: short one");
  extras(
    "full",
    `interface:
  display_name: "Full Skill"
  short_description: "brief"
  icon_small: "./assets/small.svg"
  icon_large: "assets/large.png"
  brand_color: "#112233"
  default_prompt: "Use $full now"
dependencies:
  tools:
    - type: "mcp"
      value: "docs"
      description: "Docs server"
      transport: "streamable_http"
      url: "https://example.com/mcp"
policy:
  allow_implicit_invocation: false
`,
  );
  put(join(root, "full/assets/small.svg"), "<svg/>");
  put(join(root, "full/assets/large.png"), "x");
  skill("partly", "name: partly\ndescription: says some things wrongly");
  extras(
    "partly",
    `interface:\n  display_name: 5\n  icon_small: "../../x.svg"\n  brand_color: "red"\n  default_prompt: "${"x".repeat(1100)}"\n`,
  );
  skill("wrong", "name: wrong\ndescription: says all wrongly");
  extras("wrong", ":\n - [");
  skill("folded", "name: folded\ndescription: >-\n  of two\n  lines");
  skill("colon", "name: colon\ndescription: use when: needed");
  skill("long", `name: ${"n".repeat(70)}\ndescription: has a long name`);
  skill("mute", "name: mute");
}

/** Skills as clients are shown them. */
export const skills: readonly Scenario[] = [
  {
    name: "skills/extras",
    covers: "What a skill says of itself for programs: interface, dependencies, and that only a user may name it",
    run: async (stage) => {
      makeSkills(join(stage.home, "skills"));
      const peer = await stage.connect();
      const answer = await peer.probe("skills/list", { cwds: [stage.cwd], forceReload: true });
      // Codex brings skills of its own.
      const own = answer?.data[0]?.skills.filter(({ scope }) => scope === "user");
      stage.observe("skills", own);
      const errors = answer?.data[0]?.errors ?? [];
      stage.observe(
        "errors",
        errors.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
      );
      stage.model.script(reply().text("one"), reply().text("two"));
      const thread = await startThread(peer);
      await runTurn(peer, thread, "go");
      await runTurn(peer, thread, "use $full");
      const asked = JSON.stringify(stage.model.requests.map(({ body }) => body.input));
      stage.observe("offered", { full: asked.includes("- full:"), partly: asked.includes("- partly:") });
    },
    erratic: ["skills/changed"],
  },
  {
    name: "skills/unreadable-config",
    covers: "Skills and hooks of a folder whose configuration cannot be read",
    run: async (stage) => {
      const peer = await stage.connect();
      put(join(stage.home, "config.toml"), "model = ");
      await peer.request("skills/list", { cwds: [stage.cwd] });
      await peer.request("hooks/list", { cwds: [stage.cwd] });
    },
    erratic: ["skills/changed", "configWarning"],
    differences: [
      {
        at: /^reply (skills|hooks)\/list result\.data\.errors\.message$/,
        reason: "What is wrong with a configuration is said in Quire's own words, with the line that it is about.",
      },
    ],
  },
];
