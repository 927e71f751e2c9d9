import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codexConfigToml, type MockResponses, tempDir } from "@quire/testkit";

/** The launcher, as npm installs it. */
export const launcher: string = join(import.meta.dirname, "..", "..", "bin", "quire");

/** For tests that start many processes one after the other, on a machine that may be busy. */
export const slow: { readonly timeout: number } = { timeout: 120_000 };

/** What a run of the command came to. */
interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A home and a workspace of its own, and the command in it. */
export interface Place extends AsyncDisposable {
  readonly home: string;
  readonly cwd: string;
  readonly env: Record<string, string>;
  /** A link to the launcher, by the name of `codex`. */
  readonly codex: string;
  run(args: readonly string[], stdin?: string): Promise<Outcome>;
  /** Runs it by the name of `codex`. */
  runCodex(args: readonly string[], stdin?: string): Promise<Outcome>;
}

/** Makes a place whose model is the mock, or the offline model where there is none. */
export async function place(mock?: MockResponses, config: Record<string, string> = {}): Promise<Place> {
  const dir = await tempDir("quire-cli-");
  const home = join(dir.path, "home");
  const cwd = join(dir.path, "work");
  mkdirSync(home);
  mkdirSync(cwd);
  if (mock) writeFileSync(join(home, "config.toml"), codexConfigToml({ baseUrl: mock.url, config }));
  const env = { PATH: process.env.PATH ?? "", HOME: dir.path, QUIRE_HOME: home, NO_COLOR: "1" };
  const codex = join(dir.path, "codex");
  symlinkSync(launcher, codex);
  const start = async (program: string, args: readonly string[], stdin?: string): Promise<Outcome> => {
    const child = Bun.spawn([program, ...args], {
      cwd,
      env,
      stdin: stdin === undefined ? "ignore" : Buffer.from(stdin),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { code, stdout, stderr };
  };
  return {
    home,
    cwd,
    env,
    codex,
    run: (args, stdin) => start(launcher, args, stdin),
    runCodex: (args, stdin) => start(codex, args, stdin),
    [Symbol.asyncDispose]: () => dir.remove(),
  };
}
