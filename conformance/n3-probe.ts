import { appendFileSync, mkdirSync, writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { reply } from "@quire/testkit";
import { Stage } from "./lib/stage.ts";
import { real, ours } from "./lib/contestants.ts";
const who = process.argv[2] === "ours" ? ours : real;
const only = process.argv[3];
const cases: Record<string, (s: Stage) => void> = {
  syntax: (s) => writeFileSync(join(s.home, "config.toml"), "model = \n"),
  variant: (s) => writeFileSync(join(s.home, "config.toml"), 'approval_policy = "bogus"\n' + readFileSync(join(s.home, "config.toml"), "utf8")),
  type: (s) => writeFileSync(join(s.home, "config.toml"), 'model_context_window = "many"\n' + readFileSync(join(s.home, "config.toml"), "utf8")),
  unknown: (s) => writeFileSync(join(s.home, "config.toml"), 'nonsense = 1\n' + readFileSync(join(s.home, "config.toml"), "utf8")),
  rules: (s) => { mkdirSync(join(s.home, "rules")); writeFileSync(join(s.home, "rules", "default.rules"), "prefix_rule(\n"); },
  project: (s) => { mkdirSync(join(s.cwd, ".codex"), { recursive: true }); mkdirSync(join(s.cwd, ".git")); writeFileSync(join(s.cwd, ".codex", "config.toml"), 'model = "x"\n'); },
  projectBad: (s) => { mkdirSync(join(s.cwd, ".codex"), { recursive: true }); mkdirSync(join(s.cwd, ".git")); writeFileSync(join(s.cwd, ".codex", "config.toml"), 'model = \n'); appendFileSync(join(s.home, "config.toml"), `\n[projects."${s.cwd}"]\ntrust_level = "trusted"\n`); },
  projectKeys: (s) => { mkdirSync(join(s.cwd, ".codex"), { recursive: true }); mkdirSync(join(s.cwd, ".git")); writeFileSync(join(s.cwd, ".codex", "config.toml"), 'model_provider = "x"\nnotify = ["a"]\nopenai_base_url="http://x"\n'); appendFileSync(join(s.home, "config.toml"), `\n[projects."${s.cwd}"]\ntrust_level = "trusted"\n`); },
  provider: (s) => writeFileSync(join(s.home, "config.toml"), readFileSync(join(s.home, "config.toml"), "utf8").replace(/model_provider = .*/, 'model_provider = "nowhere"')),
  profile: (s) => writeFileSync(join(s.home, "config.toml"), 'profile = "nope"\n' + readFileSync(join(s.home, "config.toml"), "utf8")),
  deprecated: (s) => appendFileSync(join(s.home, "config.toml"), `\n[features]\nweb_search_request = true\nbogus_feature = true\n`),
  mcp: (s) => appendFileSync(join(s.home, "config.toml"), `\n[mcp_servers.x]\ncommand = 5\n`),
};
for (const [name, prepare] of Object.entries(cases)) {
  if (only && name !== only) continue;
  await using stage = await Stage.open(who, { name: "x/x", covers: "", run: async () => {} } as never);
  prepare(stage);
  stage.model.when(() => true).always(reply().text("x"));
  try {
    const peer = await stage.connect();
    await peer.silence(300);
    const a = await peer.request("thread/start", {});
    await peer.silence(300);
    const b = await peer.request("thread/start", { cwd: stage.cwd });
    await peer.request("account/read", {});
    await peer.silence(300);
    const seen = stage.log.filter((m) => m.by === "server").map((m) => m.message).map((m: any) => m.method ? (m.method + (/Warning|warning|Notice/.test(m.method) ? " " + JSON.stringify(m.params) : "")) : "reply " + m.id + (m.error ? JSON.stringify(m.error) : "")).filter((x) => !/mcpServer|thread\/started|status\/changed/.test(x));
    console.log("==", name, "\n  " + seen.join("\n  "));
  } catch (e) { console.log("==", name, String(e)); }
}
