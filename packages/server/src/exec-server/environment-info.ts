import { homedir, tmpdir } from "node:os";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { codexVersion } from "../lib/version.ts";
import type { ExecEnvironmentInfo } from "../run/environments/exec-wire.ts";
import { findShell } from "../run/process/shells.ts";

/** This machine, as clients are told about it. */
export function environmentInfo(): ExecEnvironmentInfo {
  const path = findShell();
  const url = (folder: string) => pathToFileURL(folder).href;
  return {
    shell: { name: basename(path), path },
    executorVersion: codexVersion,
    cwd: url(process.cwd()),
    userHomeDir: url(homedir()),
    platformOs: process.platform === "darwin" ? "macos" : process.platform === "win32" ? "windows" : process.platform,
    prependPathDirs: [],
    temporaryDirectories: [],
    tempDir: url(tmpdir()),
    // None of Codex's later additions: its clients do without those that are not named.
    capabilities: {},
  };
}
