import { accessSync, constants, readdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import process from "node:process";
import { ConnectionError } from "@quire/jsonrpc";
import type { LocateRequest } from "./host.ts";

/** A program and its first arguments. */
type FoundProgram = readonly [program: string, ...args: string[]];

type Surroundings = Omit<LocateRequest, "command">;

/** A server that is found by its name. */
interface KnownServer {
  /** Its launcher below a folder `node_modules`. */
  readonly launcher: string;
  /** True if the launcher is JavaScript, which this process's runtime can run. */
  readonly isScript: boolean;
  /** Editor extensions that bring it, by the beginning of their name. */
  readonly extension?: string;
  /** The folder of a desktop app that brings it. */
  readonly app?: string;
  /** Lines to install it. */
  readonly install: string;
}

const isWindows = process.platform === "win32";

const codex: KnownServer = {
  launcher: "@openai/codex/bin/codex.js",
  isScript: true,
  extension: "openai.chatgpt-",
  app: "/Applications/Codex.app/Contents/Resources",
  install: '"npm install -g @openai/codex", or "npm install @quire/cli" and { server: "quire" }',
};
const quire: KnownServer = { launcher: "@quire/cli/bin/quire", isScript: false, install: '"npm install @quire/cli"' };

const servers: ReadonlyMap<string, KnownServer> = new Map([
  ["codex", codex],
  ["quire", quire],
]);

/**
 * Finds `codex` and `quire` where PATH does not have them: in `node_modules` of the running program, then where installers
 * put them. Never in the current folder: that may be a repository of somebody else. Any other program is left to PATH.
 */
export function findProgram(name: string, surroundings: Surroundings): FoundProgram {
  const server = servers.get(name);
  if (!server || isOnPath(name, surroundings)) return [name];
  const found = inModules(server, surroundings) ?? inKnownPlaces(name, server, surroundings);
  if (found) return found;
  const where = "on PATH, in node_modules of this program, and where installers put it";
  throw new ConnectionError("spawn-failed", `${name} was not found ${where}: run ${server.install}`);
}

function isOnPath(name: string, { env }: Surroundings): boolean {
  const key = isWindows ? Object.keys(env).find((each) => each.toLowerCase() === "path") : "PATH";
  const folders = (env[key ?? "PATH"] ?? "").split(delimiter).filter(Boolean);
  return folders.some((folder) => programIn(folder, name) !== undefined);
}

function inModules(server: KnownServer, { from }: Surroundings): FoundProgram | undefined {
  for (const start of from ?? programFolders()) {
    for (let folder = start; ; folder = dirname(folder)) {
      const launcher = join(folder, "node_modules", server.launcher);
      if (isFile(launcher)) return server.isScript ? [scriptRuntime(), launcher] : [launcher];
      if (folder === dirname(folder)) break;
    }
  }
  return undefined;
}

/** Folders of the running program, by its link and by its file. One that was typed (`node -e`) is in the current folder. */
function programFolders(): string[] {
  const [, main] = process.argv;
  if (main === undefined || !isFile(main)) return [process.cwd()];
  return [dirname(realpathSync(main)), dirname(main)];
}

/** This runtime, unless it is compiled into something else, such as an app. */
function scriptRuntime(): string {
  const isRuntime = /^(node|bun)(\.exe)?$/i.test(basename(process.execPath));
  return isRuntime ? process.execPath : isWindows ? "node.exe" : "node";
}

function inKnownPlaces(name: string, server: KnownServer, surroundings: Surroundings): FoundProgram | undefined {
  const { env, home = homedir() } = surroundings;
  const own = [".local/bin", ".npm-global/bin", ".bun/bin", ".volta/bin", ".local/share/pnpm", "Library/pnpm"];
  const folders = [
    env.PNPM_HOME,
    env.APPDATA && join(env.APPDATA, "npm"),
    ...own.map((each) => join(home, each)),
    ...(surroundings.shared ?? sharedFolders(server)),
    ...(server.extension ? inExtensions(home, server.extension) : []),
  ];
  for (const folder of folders) {
    const program = folder ? programIn(folder, name) : undefined;
    if (program !== undefined) return [program];
  }
  return undefined;
}

/** Node's own folder is the one where npm puts global programs. */
function sharedFolders({ app }: KnownServer): string[] {
  const brew = ["/opt/homebrew/bin", "/usr/local/bin", "/home/linuxbrew/.linuxbrew/bin"];
  return [dirname(process.execPath), ...brew, ...(app ? [app] : [])];
}

/** Folders of an editor extension's programs, the newest version first. Each has one for every platform that it is made for. */
function inExtensions(home: string, prefix: string): string[] {
  const editors = [".vscode", ".vscode-server", ".vscode-insiders", ".cursor", ".cursor-server", ".windsurf"];
  return editors.flatMap((editor) => {
    const extensions = join(home, editor, "extensions");
    const versions = entries(extensions).filter((each) => each.startsWith(prefix));
    versions.sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
    const bins = versions.map((version) => join(extensions, version, "bin"));
    return bins.flatMap((bin) =>
      entries(bin)
        .filter(isThisPlatform)
        .map((each) => join(bin, each)),
    );
  });
}

/** Folders are named `linux-x86_64`, `macos-aarch64` and so on. */
function isThisPlatform(name: string): boolean {
  const system = { linux: "linux", darwin: "macos", win32: "windows" }[process.platform as string];
  const processor = { x64: "x86_64", arm64: "aarch64" }[process.arch as string];
  return name === `${system}-${processor}`;
}

function programIn(folder: string, name: string): string | undefined {
  const names = isWindows ? [`${name}.exe`, `${name}.cmd`] : [name];
  return names.map((each) => join(folder, each)).find(isProgram);
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}
