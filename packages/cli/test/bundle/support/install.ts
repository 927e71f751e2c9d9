import { cpSync, mkdirSync, readdirSync, readlinkSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { eventually, type TempDir, tempDir } from "@quire/testkit";

const root = join(import.meta.dirname, "..", "..", "..", "..", "..");
const packages = ["jsonrpc", "protocol", "client", "server", "gateway", "orchestrator", "web", "cli"];

/** A copy of the packages that tests may change, with a user's home. */
export interface Install extends AsyncDisposable {
  readonly home: string;
  readonly cli: string;
  readonly launcher: string;
  readonly env: Record<string, string>;
  /** The bundle, whether it is there or not. */
  readonly bundle: string;
  /** Makes the bundle; returns what was printed. */
  build(home?: string): Promise<string>;
  /** Starts a process from source that asks for a bundle at once; resolves when the bundle is another. */
  lasts(): Promise<void>;
  /** Runs the launcher to its end. */
  run(args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
  /** The program that serves when the launcher starts a server. */
  serverProgram(launcher?: string): Promise<string>;
}

/** Copies sources, links everything else. */
export async function install(): Promise<Install> {
  const dir: TempDir = await tempDir("quire-bundle-");
  const home = join(dir.path, "home");
  mkdirSync(home);
  const modules = join(dir.path, "node_modules");
  mkdirSync(join(modules, "@quire"), { recursive: true });
  for (const name of packages) {
    const copy = join(dir.path, "packages", name);
    for (const part of ["package.json", "src", "bin"]) {
      if (part !== "bin" || name === "cli")
        cpSync(join(root, "packages", name, part), join(copy, part), { recursive: true });
    }
    symlinkSync(join("..", "..", "packages", name), join(modules, "@quire", name));
  }
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name !== "@quire" && name !== ".bin") symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  mkdirSync(join(modules, ".bin"));
  symlinkSync("../@quire/cli/bin/quire", join(modules, ".bin", "quire"));
  const cli = join(dir.path, "packages", "cli");
  const launcher = join(cli, "bin", "quire");
  const env = { PATH: "/usr/bin:/bin", HOME: home, QUIRE_HOME: join(dir.path, "server-home") };
  const bundle = join(home, ".quire", "bundles", cli.replaceAll("/", "%"), "quire");
  return {
    home,
    cli,
    launcher,
    env,
    bundle,
    build: async (at = home) =>
      (await output([process.execPath, join(cli, "src", "bundle", "build.ts"), at], {})).stdout.trim(),
    lasts: () => lasts(cli, home, bundle),
    run: (args) => output([launcher, ...args], env),
    serverProgram: (by = launcher) => serverProgram(by, env),
    [Symbol.asyncDispose]: () => dir.remove(),
  };
}

async function lasts(cli: string, home: string, bundle: string): Promise<void> {
  const inode = () => statSync(bundle, { throwIfNoEntry: false })?.ino;
  const before = inode();
  const module = JSON.stringify(join(cli, "src", "bundle", "bundle-later.ts"));
  const script = `(await import(${module})).bundleLater({ HOME: ${JSON.stringify(home)} }, 1); await Bun.stdin.text();`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdin: "pipe" });
  await eventually(() => inode() !== undefined && inode() !== before, { timeoutMs: 60_000 });
  await child.stdin.end();
  await child.exited;
}

async function output(argv: string[], env: Record<string, string>) {
  const child = Bun.spawn(argv, {
    env,
    cwd: dirname(env.HOME ?? "/tmp/x"),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, stdout, stderr };
}

async function serverProgram(launcher: string, env: Record<string, string>): Promise<string> {
  const child = Bun.spawn([launcher, "app-server"], {
    env,
    cwd: dirname(env.HOME ?? "/"),
    stdin: "pipe",
    stdout: "pipe",
  });
  await child.stdin.write('{"id":1,"method":"initialize","params":{"clientInfo":{"name":"t","version":"1"}}}\n');
  await child.stdin.flush();
  await child.stdout.getReader().read();
  const program = readlinkSync(`/proc/${child.pid}/exe`);
  await child.stdin.end();
  await child.exited;
  return program;
}
