import { describe } from "node:test";
import { codexVersion } from "@quire/protocol/version";
import { skipWithoutCodex, testedVersions } from "@quire/testkit";
import { openStage, type Stage } from "./stage.ts";

/** Runs the same tests on our own server and the newest Codex: what older ones do alike need not be seen again. */
export function onNewestServers(tests: (open: () => Promise<Stage>, version: string | null) => void): Promise<void> {
  return onServers([codexVersion], tests);
}

/**
 * Runs the same tests on our own server, the newest Codex and an older one; on others instead where
 * `QUIRE_CODEX_VERSIONS` names them.
 */
export async function onEachServer(tests: (open: () => Promise<Stage>, version: string | null) => void): Promise<void> {
  await onServers(testedVersions({ since: "0.118.0" }), tests);
}

async function onServers(
  versions: readonly string[],
  tests: (open: () => Promise<Stage>, version: string | null) => void,
): Promise<void> {
  if (process.env.QUIRE_CODEX_VERSIONS === undefined) describe("on our server", () => tests(() => openStage(), null));
  for (const version of versions) {
    const skip = await skipWithoutCodex(version);
    describe(`on Codex ${version}`, { skip }, () => tests(() => openStage({ codex: version }), version));
  }
}
