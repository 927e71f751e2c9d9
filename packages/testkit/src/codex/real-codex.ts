import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { eventually } from "../lib/eventually.ts";
import { taggedProcesses } from "../lib/processes.ts";
import { tempDir } from "../lib/temp-dir.ts";
import { type CodexConfig, codexConfigToml } from "./config-toml.ts";
import { fillIndex, fillsIndexLate } from "./fill-index.ts";
import { installCodex, standIn } from "./install.ts";
import { helperDirs } from "./locate.ts";

/** Options of {@link RealCodex}. */
export interface RealCodexOptions extends Omit<CodexConfig, "baseUrl"> {
  /** The model: a mock, or the base URL of any Responses-compatible endpoint. */
  readonly model: { readonly url: string } | string;
  /** An existing `CODEX_HOME`, to continue with its threads. It gets a new `config.toml` and stays after disposal. */
  readonly home?: string;
  /** The folder to work in, instead of an empty one of its own. It stays after disposal. */
  readonly cwd?: string;
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A real Codex ready to be spawned, as often as one likes, with home and workspace of its own. */
export interface RealCodex extends AsyncDisposable {
  readonly version: string;
  /** The native binary. */
  readonly command: string;
  /** `["app-server"]`; append `--listen` and the like. */
  readonly args: string[];
  /** The whole environment for the child: nothing of the developer's own keys or settings is in it. */
  readonly env: Record<string, string>;
  /** Its `CODEX_HOME`. */
  readonly home: string;
  /** Its workspace. */
  readonly cwd: string;
  /** `NAME=value` in the environment of every process that it starts, for `assertNoProcesses({ tag })`. */
  readonly tag: string;
}

/**
 * Prepares a real Codex of the given version, installing it if need be:
 *
 * ```ts
 * await using mock = await mockResponses();
 * await using codex = await realCodex("0.166.0", { model: mock });
 * const transport = await spawnTransport(codex);
 * ```
 *
 * Disposal kills whatever it started and is still running, and removes its folders. Dispose after the connection.
 */
export async function realCodex(version: string, options: RealCodexOptions): Promise<RealCodex> {
  const command = await installCodex(version);
  const base = await tempDir(`quire-codex-${version}-`);
  const home = options.home ?? join(base.path, "user", ".codex");
  const cwd = options.cwd ?? join(base.path, "workspace");
  // A home below the temporary folder makes Codex warn and leave out its helpers, so the temporary folder moves instead.
  const temporary = join(base.path, "tmp");
  for (const folder of [join(base.path, "user"), home, cwd, temporary]) await mkdir(folder, { recursive: true });
  const baseUrl = typeof options.model === "string" ? options.model : options.model.url;
  const tagValue = randomUUID();
  const tag = `${tagName}=${tagValue}`;
  const args = ["app-server"];
  const env = {
    ...inherited(),
    PATH: [...helperDirs(command), process.env.PATH ?? ""].join(delimiter),
    HOME: join(base.path, "user"),
    USERPROFILE: join(base.path, "user"),
    CODEX_HOME: home,
    TMPDIR: temporary,
    NO_PROXY: "127.0.0.1,localhost",
    [tagName]: tagValue,
  };
  const dispose = async () => {
    await killAll(tag);
    await base.remove();
  };
  const configure = (config: CodexConfig) => writeFile(join(home, "config.toml"), codexConfigToml(config));
  if (options.home === undefined && fillsIndexLate(version) && standIn() === undefined) {
    await configure({ baseUrl });
    try {
      await fillIndex({ command, args, env, cwd });
    } catch (error) {
      await dispose();
      throw error;
    }
    await killAll(tag);
  }
  await configure({ ...options, baseUrl });
  return {
    version,
    command,
    args,
    env: { ...env, ...options.env },
    home,
    cwd,
    tag,
    [Symbol.asyncDispose]: dispose,
  };
}

const tagName = "QUIRE_TESTKIT_CODEX";

/** Variables that a program needs to start, and the language of its messages. Keys, tokens and proxies stay out. */
const allowed = ["LANG", "LC_ALL", "TZ", "SHELL", "USER", "LOGNAME", "SystemRoot", "SystemDrive", "ComSpec", "PATHEXT"];

function inherited(): Record<string, string> {
  const entries = allowed.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}

/** Resolves when the last has gone: one that is just ending may still write into the folders, or start another. */
async function killAll(tag: string): Promise<void> {
  await eventually(
    async () => {
      const left = await taggedProcesses(tag);
      for (const { pid } of left) kill(pid);
      return left.length === 0;
    },
    { what: "all processes of a Codex to be gone" },
  );
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself in the meantime.
  }
}
