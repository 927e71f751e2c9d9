import { describe } from "node:test";
import { codexVersion } from "@quire/protocol/version";
import { skipWithoutCodex } from "@quire/testkit";
import { openStage, type Stage } from "./stage.ts";

/** Runs the same tests on our own server, the newest Codex and an older one. */
export async function onEachServer(tests: (open: () => Promise<Stage>, version: string | null) => void): Promise<void> {
  describe("on our server", () => tests(() => openStage(), null));
  for (const version of [codexVersion, "0.118.0"]) {
    const skip = await skipWithoutCodex(version);
    describe(`on Codex ${version}`, { skip }, () => tests(() => openStage({ codex: version }), version));
  }
}
