import { mkdirSync, writeFileSync } from "node:fs";
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
  run(args: readonly string[], stdin?: string): Promise<Outcome>;
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
  return {
    home,
    cwd,
    env,
    async run(args, stdin) {
      const child = Bun.spawn([launcher, ...args], {
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
    },
    [Symbol.asyncDispose]: () => dir.remove(),
  };
}
