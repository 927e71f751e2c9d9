import { codexVersion } from "@quire/protocol/version";
import { itemAvailability, observedVersions, supports } from "@quire/protocol/versions";
import type { Compat } from "./compat.ts";

/** A version that no server can stand for. */
export class UnknownCodex extends Error {
  override readonly name = "UnknownCodex";
}

/** Makes a server stand for an older Codex, such as `0.118`. Throws an {@link UnknownCodex} that names the range. */
export function compatWith(given: string): Compat {
  const version = /^\d+\.\d+$/.test(given) ? `${given}.0` : given;
  const [oldest = codexVersion] = observedVersions;
  const isKnown = /^\d+\.\d+\.\d+$/.test(version) && inOrder(oldest, version) && inOrder(version, codexVersion);
  if (!isKnown) throw new UnknownCodex(`"${given}" is no version from ${oldest} to ${codexVersion}`);
  return {
    version,
    hasMethod: (method) => supports(method, version) !== false,
    hasItem: (type) => {
      const { since, removedIn } = itemAvailability(type) ?? {};
      if (since === undefined) return true;
      return inOrder(since, version) && (removedIn === undefined || !inOrder(removedIn, version));
    },
  };
}

function inOrder(earlier: string, later: string): boolean {
  return earlier.localeCompare(later, "en", { numeric: true }) <= 0;
}
