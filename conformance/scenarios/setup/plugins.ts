import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { reply } from "@quire/testkit";
import { npmRegistry } from "../../../packages/server/test/plugins/npm-registry.ts";
import type { Scenario } from "../../lib/scenario.ts";
import { replyWords } from "../../lib/shared-differences.ts";
import { requestEach, runTurn, startThread, text } from "../../lib/steps.ts";

const place = ".agents/plugins/marketplace.json";

function put(path: string, content: string | object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}

/** Makes a marketplace with a plugin that has everything, one that has little, and some that cannot be installed. */
function makeMarketplace(root: string): void {
  put(join(root, place), {
    name: "market",
    interface: { displayName: "Market" },
    plugins: [
      {
        name: "full",
        source: { source: "local", path: "./plugins/full" },
        policy: { installation: "AVAILABLE", authentication: "ON_USE" },
        category: "Tools",
      },
      { name: "bare", source: "./plugins/bare" },
      { name: "barred", source: "./plugins/bare", policy: { installation: "NOT_AVAILABLE" } },
      { name: "gone", source: "./plugins/nowhere" },
      { name: "elsewhere", source: { source: "url", url: "https://127.0.0.1:1/x.git", ref: "main" } },
      { name: "outside", source: "../outside" },
    ],
  });
  const full = join(root, "plugins/full");
  put(join(full, ".codex-plugin/plugin.json"), {
    name: "full",
    version: "1.2.3",
    description: "Has everything",
    keywords: ["one", "two"],
    skills: "./skills",
    mcpServers: "./.mcp.json",
    hooks: "./hooks/hooks.json",
    interface: {
      displayName: "Full Plugin",
      shortDescription: "short",
      longDescription: "long",
      developerName: "somebody",
      category: "Other",
      capabilities: ["Read"],
      websiteURL: "https://example.com",
      defaultPrompt: "Try it",
      brandColor: "#112233",
      logo: "./logo.png",
      screenshots: ["./one.png"],
    },
  });
  put(join(full, "skills/hello/SKILL.md"), "---\nname: hello\ndescription: says hello\n---\nSay hello.");
  put(join(full, ".mcp.json"), { mcpServers: { failing: { command: "false" } } });
  put(join(full, "hooks/hooks.json"), { hooks: { Stop: [{ hooks: [{ type: "command", command: "true" }] }] } });
  put(join(root, "plugins/bare/.codex-plugin/plugin.json"), { name: "bare" });
  put(join(root, "plugins/bare/skills/bye/SKILL.md"), "---\nname: bye\ndescription: says bye\n---\nSay bye.");
}

const setup = { config: { "features.plugins": true } };

/** Plugins and marketplaces. */
export const plugins: readonly Scenario[] = [
  {
    name: "plugins/none",
    covers: "`plugin/*`, `marketplace/*` and `app/*` where there are none, and without an account",
    setup,
    run: async (stage) => {
      const peer = await stage.connect();
      await requestEach(peer, "plugin/list", [{}, { cwds: [stage.cwd] }]);
      await peer.request("plugin/installed", {});
      await peer.request("plugin/search", { searchTerm: "x" });
      const nowhere = join(stage.cwd, "nowhere");
      const both = { marketplacePath: nowhere, remoteMarketplaceName: "m" };
      const places = [{}, both, { marketplacePath: nowhere }, { remoteMarketplaceName: "m" }];
      for (const each of places) {
        await peer.request("plugin/read", { pluginName: "x", ...each });
        await peer.request("plugin/install", { pluginName: "x", ...each });
      }
      await requestEach(peer, "plugin/uninstall", [{ pluginId: "x" }, { pluginId: "x@y" }]);
      await peer.request("plugin/reconcile", {});
      await peer.request("plugin/skill/read", { remoteMarketplaceName: "m", remotePluginId: "p", skillName: "s" });
      await peer.request("plugin/share/list", {});
      await peer.request("plugin/share/save", { pluginPath: nowhere });
      await peer.request("plugin/share/checkout", { remotePluginId: "p" });
      await peer.request("plugin/share/delete", { remotePluginId: "p" });
      const targets = { remotePluginId: "p", discoverability: "PRIVATE", shareTargets: [] };
      await peer.request("plugin/share/updateTargets", targets);
      await requestEach(peer, "marketplace/add", [{ source: nowhere }, { source: "" }, { source: "x" }]);
      await peer.request("marketplace/remove", { marketplaceName: "x" });
      await requestEach(peer, "marketplace/upgrade", [{}, { marketplaceName: "x" }]);
      await peer.request("app/list", {});
      await peer.request("app/installed", {});
      await requestEach(peer, "app/read", [{ appIds: ["x"] }, { appIds: [] }]);
    },
    differences: [replyWords],
  },
  {
    name: "plugins/local",
    covers: "A marketplace in a folder: listing, reading, installing, using and removing its plugins",
    setup,
    run: async (stage) => {
      const root = join(stage.cwd, "market");
      makeMarketplace(root);
      const peer = await stage.connect();
      await requestEach(peer, "plugin/list", [{ cwds: [stage.cwd] }, { cwds: [root] }]);
      const marketplacePath = join(root, place);
      for (const pluginName of ["full", "bare", "nope"])
        await peer.request("plugin/read", { marketplacePath, pluginName });
      for (const pluginName of ["barred", "gone", "nope", "full"])
        await peer.request("plugin/install", { marketplacePath, pluginName });
      await requestEach(peer, "marketplace/add", [{ source: root }, { source: root }]);
      await requestEach(peer, "plugin/installed", [{}, { installSuggestionPluginNames: ["bare"] }]);
      await requestEach(peer, "plugin/search", [{ searchTerm: "FULL" }, { searchTerm: "hello" }]);
      const listed = await peer.probe("skills/list", { cwds: [stage.cwd] });
      const skills = listed?.data.flatMap((entry) => entry.skills) ?? [];
      stage.observe(
        "skills",
        skills.filter(({ name }) => name.startsWith("full")),
      );
      const hooks = (await peer.probe("hooks/list", { cwds: [stage.cwd] }))?.data.flatMap((entry) => entry.hooks) ?? [];
      stage.observe(
        "hooks",
        hooks.map(({ currentHash, ...hook }) => [hook, currentHash.split("/", 1)[0]]),
      );
      const thread = await startThread(peer);
      stage.model.script(reply().text("done"), reply().text("done"));
      await runTurn(peer, thread, "use $full:hello");
      const mention = { type: "mention", name: "Full Plugin", path: "plugin://full@market" };
      await runTurn(peer, thread, "", { input: [text("use it"), mention] });
      await requestEach(peer, "plugin/uninstall", [{ pluginId: "full@market" }, { pluginId: "full@market" }]);
      await peer.request("plugin/installed", {});
      await requestEach(peer, "marketplace/remove", [{ marketplaceName: "market" }, { marketplaceName: "market" }]);
    },
    erratic: ["mcpServer/startupStatus/updated", "skills/changed", "app/list/updated"],
    differences: [
      {
        at: "reply plugin/search result.data.plugin.enabled",
        reason: "A plugin that is switched on is shown so, also where it was searched for.",
      },
      {
        at: /^model tool (list_mcp_resources|list_mcp_resource_templates|read_mcp_resource)/,
        reason: "Tools for the resources of MCP servers are offered where a server runs.",
      },
      {
        at: /^model input (lacks|adds): developer "(Capabilities|The user points)/,
        reason: "The model is told of a mentioned plugin in Quire's own words.",
      },
    ],
  },
  {
    name: "plugins/git",
    covers: "A marketplace from a git repository: adding, upgrading and removing it",
    setup,
    run: async (stage) => {
      const root = join(stage.cwd, "market");
      makeMarketplace(root);
      const git = (...args: string[]) =>
        execFileSync("git", ["-C", root, "-c", "user.email=a@b", "-c", "user.name=x", ...args]);
      const commit = () => {
        git("add", "-A");
        git("commit", "-qm", "x");
        git("update-server-info");
      };
      git("init", "-q", "-b", "main");
      commit();
      await using server = serveFolder(join(root, ".git"));
      const peer = await stage.connect();
      const source = `http://127.0.0.1:${server.port}/market.git`;
      await requestEach(peer, "marketplace/add", [{ source, refName: "nope" }, { source }, { source }]);
      await peer.request("marketplace/upgrade", {});
      put(join(root, "more"), "x");
      commit();
      await peer.request("marketplace/upgrade", { marketplaceName: "market" });
      const installed = await peer.result("plugin/list", {});
      const marketplacePath = installed.marketplaces[0]?.path;
      await peer.request("plugin/install", { marketplacePath, pluginName: "bare" });
      await peer.request("marketplace/remove", { marketplaceName: "market" });
    },
    erratic: ["skills/changed", "app/list/updated"],
    differences: [
      replyWords,
      {
        at: "reply marketplace/upgrade result.upgradedRoots",
        reason: "A marketplace that is up to date is not fetched again.",
      },
    ],
  },
  {
    name: "plugins/npm",
    covers: "Plugins from npm's registry, and sources that lead elsewhere",
    setup,
    run: async (stage) => {
      await using registry = await npmRegistry({
        name: "@me/tool",
        version: "1.2.0",
        files: {
          "package/package.json": JSON.stringify({ name: "@me/tool", version: "1.2.0" }),
          "package/.codex-plugin/plugin.json": JSON.stringify({ name: "tool", version: "1.2.0" }),
          "package/skills/hello/SKILL.md": "---\nname: hello\ndescription: says hello\n---\nSay hello.",
        },
      });
      put(join(stage.home, "../.npmrc"), `registry=${registry.url}\n`);
      const sources = [
        { name: "tool", package: "@me/tool", version: " ^1.0.0 " },
        { name: "far", package: "far", version: "1.x || 2", registry: "https://registry.example/npm/" },
        { name: "plain", package: "far", registry: registry.url },
        { name: "known", package: "far", registry: "https://me:secret@registry.example" },
        { name: "folder", package: "far", version: "file:../far" },
        { name: "repository", package: "far", version: "me/far" },
        { name: "path", package: "../far" },
        { name: "versioned", package: "far@1" },
        { name: "nothing" },
      ];
      const plugins = sources.map(({ name, ...rest }) => ({ name, source: { source: "npm", ...rest } }));
      const root = join(stage.cwd, "market");
      put(join(root, place), { name: "market", plugins });
      const peer = await stage.connect();
      await peer.request("marketplace/add", { source: root });
      await peer.request("plugin/list", {});
      const marketplacePath = join(root, place);
      await peer.request("plugin/install", { marketplacePath, pluginName: "tool" });
      await peer.request("plugin/read", { marketplacePath, pluginName: "tool" });
      await peer.request("plugin/list", {});
    },
  },
];

/** Serves a folder as a plain web server does, below any first name. */
function serveFolder(folder: string): AsyncDisposable & { readonly port: number | undefined } {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const path = new URL(request.url).pathname.split("/").slice(2).join("/");
      const file = Bun.file(join(folder, path));
      return (await file.exists()) ? new Response(file) : new Response("", { status: 404 });
    },
  });
  return { port: server.port, [Symbol.asyncDispose]: () => server.stop(true) };
}
