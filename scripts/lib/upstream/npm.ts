import { compareVersions } from "../../../packages/protocol/src/lib/version-number.ts";
import { runCommand } from "../run-command.ts";

/** Says that npm's registry could not be asked, and what to do. */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
}

/** The newest Codex on npm. */
export async function newestCodex(): Promise<string> {
  const { code, output } = await runCommand("npm", ["view", "@openai/codex", "dist-tags.latest", "--silent"], {
    timeoutMs: 60_000,
  });
  const version = /^\d+\.\d+\.\d+\S*$/m.exec(output)?.[0];
  if (code !== 0 || version === undefined) {
    throw new RegistryError(
      "npm's registry cannot be reached, so newer versions of Codex are not known. Check the network, or name a version that is in the cache.",
    );
  }
  return version;
}

/** True if one version of Codex is newer than another. */
export function isNewer(version: string, than: string): boolean {
  return compareVersions(version, than) > 0;
}
