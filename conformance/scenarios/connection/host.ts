import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Scenario } from "../../lib/scenario.ts";
import { replyWords } from "../../lib/shared-differences.ts";
import { requestEach, runTurn, startThread } from "../../lib/steps.ts";

/** The process, its machine, and what a client gives it for its own time. */
export const host: readonly Scenario[] = [
  {
    name: "host/requests",
    covers: "`windowsSandbox/*` off Windows, `remoteControl/*` without an account, `modelProvider/capabilities/read`",
    run: async (stage) => {
      const peer = await stage.connect();
      await peer.request("windowsSandbox/readiness");
      await peer.request("windowsSandbox/setupStart", { mode: "elevated" });
      await peer.waitFor("windowsSandbox/setupCompleted");
      await requestEach(peer, "remoteControl/status/read", [undefined]);
      await requestEach(peer, "remoteControl/enable", [undefined]);
      await requestEach(peer, "remoteControl/disable", [undefined]);
      await peer.request("remoteControl/client/list", { environmentId: "x" });
      await peer.request("remoteControl/client/revoke", { environmentId: "x", clientId: "y" });
      await peer.request("remoteControl/pairing/start", {});
      await peer.request("remoteControl/pairing/status", { pairingCode: "x" });
      await peer.request("modelProvider/capabilities/read", {});
    },
    differences: [
      {
        at: "event windowsSandbox/setupCompleted params.error",
        reason: "Why it cannot be set up is said in Quire's own words.",
      },
      {
        at: "reply modelProvider/capabilities/read result.imageGeneration",
        reason: "Quire has no tool that makes images.",
      },
    ],
  },
  {
    name: "host/search-provider",
    covers: "`client_search_provider` of `config/read`: a setting of the tools, shown as a field of its own",
    setup: { config: { "tools.client_search_provider": "search_mcp" } },
    run: async (stage) => {
      const peer = await stage.connect();
      // Which other keys there are differs.
      const { client_search_provider, tools } = (await peer.probe("config/read", {}))?.config ?? {};
      stage.observe("search provider", [client_search_provider, Object.keys(tools ?? {})]);
    },
  },
  {
    name: "host/skill-roots",
    covers: "`skills/extraRoots/set`: skills from further folders are listed and put before the model",
    run: async (stage) => {
      const root = join(stage.cwd, "further");
      mkdirSync(join(root, "foo"), { recursive: true });
      writeFileSync(join(root, "foo", "SKILL.md"), "---\nname: foo\ndescription: does foo\n---\nBody of foo");
      const peer = await stage.connect();
      await requestEach(peer, "skills/extraRoots/set", [{ extraRoots: ["relative"] }, { extraRoots: [root] }]);
      const listed = async () => {
        const answer = await peer.probe("skills/list", { cwds: [stage.cwd] });
        return answer?.data.flatMap(({ skills }) => skills).filter(({ name }) => name === "foo");
      };
      stage.observe("skills while set", await listed());
      await runTurn(peer, await startThread(peer), "use $foo");
      await peer.request("skills/extraRoots/set", { extraRoots: [] });
      stage.observe("skills afterwards", await listed());
    },
    // The real server also tells when it has looked through folders.
    erratic: ["skills/changed"],
    differences: [replyWords],
  },
];
