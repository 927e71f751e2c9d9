import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const settingsNames = [".git", ".codex", ".agents"];

/**
 * Makes the folders that sandboxes hold in `/tmp` against commands, where they are missing: servers that come and go side by
 * side would make and remove them under each other's hands, and the sandboxes of older Codex fail where one vanishes.
 */
function makeSandboxFolders(): string[] {
  return settingsNames
    .map((name) => join("/tmp", name))
    .filter((folder) => {
      try {
        mkdirSync(folder);
        return true;
      } catch {
        return false;
      }
    });
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It is used, or gone.
  }
}

/**
 * Makes a home and a temporary folder for tests, for as long as this process runs, and returns the variables that lead to
 * them. What a user keeps at home is not touched, and no login shell of a test runs the user's profile. npm keeps its
 * settings and its cache. The temporary folder looks like a repository with settings, as sandboxes leave it on some
 * machines: no test may take it for anything else.
 */
export function testHome(): Readonly<Record<string, string>> {
  const home = mkdtempSync(join(tmpdir(), "quire-test-home-"));
  // Short, for sockets in it: their paths may have about a hundred characters.
  const temporary = mkdtempSync(join(tmpdir(), "qt-"));
  for (const name of settingsNames) mkdirSync(join(temporary, name));
  const folders = makeSandboxFolders();
  process.once("exit", () => {
    for (const folder of [home, temporary]) rmSync(folder, { recursive: true, force: true });
    for (const folder of folders) removeIfEmpty(folder);
  });
  return {
    HOME: home,
    TMPDIR: temporary,
    npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), ".npmrc"),
    npm_config_cache: process.env.npm_config_cache ?? join(homedir(), ".npm"),
  };
}
