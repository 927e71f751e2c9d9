import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DeclaredDifference, Scenario } from "../../lib/scenario.ts";
import type { Stage } from "../../lib/stage.ts";

const words: DeclaredDifference = {
  at: /^event configWarning params\.(summary|details|range\S*|path)$/,
  reason: "What is wrong with a configuration is said in Quire's own words, with the line that it is about.",
};

/** A home that something is wrong with, and what a client hears of it. */
function wrong(name: string, covers: string, spoil: (stage: Stage) => void): Scenario {
  return {
    name: `config-warnings/${name}`,
    covers: `\`configWarning\`: ${covers}`,
    free: ["configWarning"],
    differences: [words],
    run: async (stage) => {
      spoil(stage);
      const peer = await stage.connect();
      await peer.request("thread/loaded/list", {});
      await peer.waitFor("configWarning");
    },
  };
}

/** Puts a line before all others of the user's file. */
function prepend(stage: Stage, line: string): void {
  const path = join(stage.home, "config.toml");
  writeFileSync(path, `${line}\n${readFileSync(path, "utf8")}`);
}

function projectFile(stage: Stage, text: string): void {
  mkdirSync(join(stage.cwd, ".git"));
  mkdirSync(join(stage.cwd, ".codex"));
  writeFileSync(join(stage.cwd, ".codex", "config.toml"), text);
}

/** Warnings about a faulty configuration. */
export const configWarnings: readonly Scenario[] = [
  wrong("syntax", "a file that is no TOML", (stage) => prepend(stage, "model = ")),
  wrong("value", "a value of the wrong kind", (stage) => prepend(stage, 'model_context_window = "many"')),
  wrong("unknown", "a setting that nobody knows", (stage) => prepend(stage, "nonsense = 1")),
  wrong("rules", "rules that cannot be read", (stage) => {
    mkdirSync(join(stage.home, "rules"));
    writeFileSync(join(stage.home, "rules", "default.rules"), "prefix_rule(\n");
  }),
  wrong("project", "the settings of a project that is not trusted", (stage) => projectFile(stage, 'model = "x"\n')),
  {
    name: "config-warnings/lists",
    covers: "Models, threads and modes are listed while the configuration cannot be read",
    free: ["configWarning"],
    run: async (stage) => {
      prepend(stage, "model = ");
      const peer = await stage.connect();
      for (const method of ["model/list", "thread/list", "collaborationMode/list"]) await peer.request(method, {});
      await peer.waitFor("configWarning");
    },
    differences: [
      words,
      { at: "reply model/list result.data", reason: "Our own catalogue; the offline model is among it." },
    ],
  },
  {
    name: "config-warnings/login",
    covers: "Who is logged in can be asked and changed while the configuration cannot be read",
    run: async (stage) => {
      const peer = await stage.connect();
      await peer.request("account/read", {});
      prepend(stage, "model = ");
      await peer.request("account/read", {});
      await peer.request("getAuthStatus", {});
      await peer.request("account/login/start", { type: "apiKey", apiKey: "sk-test" });
      await peer.waitFor("account/updated");
      await peer.request("account/logout", {});
    },
    free: ["configWarning"],
    erratic: ["configWarning"],
  },
  {
    name: "config-warnings/none",
    covers: "A configuration that is right is no reason for a warning",
    run: async (stage) => {
      const peer = await stage.connect();
      await peer.request("thread/loaded/list", {});
      await peer.silence(300);
    },
  },
];
