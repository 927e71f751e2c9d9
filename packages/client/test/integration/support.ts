import { describe } from "node:test";
import { CodexClient, type SpawnOptions } from "@quire/client";
import { compareVersions } from "@quire/protocol";
import {
  type MockResponses,
  mockResponses,
  type RealCodex,
  type RealCodexOptions,
  realCodex,
  skipWithoutCodex,
} from "@quire/testkit";

/** Whether another server stands in for Codex. It speaks the latest version's protocol, and what that has dropped. */
export const standsIn = Boolean(process.env.QUIRE_CODEX_COMMAND);

/** Every server that the suite runs against. */
const versions = standsIn ? ["0.166.0"] : ["0.98.0", "0.118.0", "0.166.0"];

/** Runs the same tests on every version from `since` on. */
export async function onEachCodex(
  name: string,
  since: string,
  tests: (version: string) => void,
  until = "999.0.0",
): Promise<void> {
  for (const version of versions) {
    if (compareVersions(version, since) < 0 || compareVersions(version, until) > 0) continue;
    const skip = await skipWithoutCodex(version);
    describe(`${name} on Codex ${version}`, { skip }, () => tests(version));
  }
}

/** A real Codex, its scripted model, and a client on it. Disposing ends all three, in order. */
export interface Fixture extends AsyncDisposable {
  readonly mock: MockResponses;
  readonly codex: RealCodex;
  readonly client: CodexClient;
}

/** Spawns a real Codex of this version and connects. */
export async function spawned(
  version: string,
  options: SpawnOptions = {},
  setup: Omit<RealCodexOptions, "model"> = {},
): Promise<Fixture> {
  const mock = await mockResponses();
  const codex = await realCodex(version, { ...setup, model: mock });
  const client = await CodexClient.spawn({
    command: [codex.command, ...codex.args],
    env: codex.env,
    cwd: codex.cwd,
    ...options,
  });
  return {
    mock,
    codex,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await codex[Symbol.asyncDispose]();
      await mock.close();
    },
  };
}
