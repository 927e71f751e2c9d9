import { mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/**
 * Makes a home for tests, which lasts as long as this process, and gives the variables that lead to it. What a user keeps
 * at home is not touched, and no login shell of a test runs the user's profile. npm keeps its settings and its cache.
 */
export function ownHome(): Readonly<Record<string, string>> {
  const home = mkdtempSync(join(tmpdir(), "quire-test-home-"));
  process.once("exit", () => rmSync(home, { recursive: true, force: true }));
  return {
    HOME: home,
    npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), ".npmrc"),
    npm_config_cache: process.env.npm_config_cache ?? join(homedir(), ".npm"),
  };
}
