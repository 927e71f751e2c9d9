import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { runCommand } from "./run-command.ts";
import { root } from "./workspace.ts";

/** Packages of npm by name, with their versions or `npm:NAME@VERSION`. */
export type WantedPackages = Readonly<Record<string, string>>;

/** Packages that only tests need, kept beside the dependencies of this repository. */
export class NpmCache {
  readonly #name: string;
  readonly #wanted: WantedPackages;
  readonly #flags: readonly string[];

  constructor(name: string, wanted: WantedPackages, flags: readonly string[] = []) {
    this.#name = name;
    this.#wanted = wanted;
    this.#flags = flags;
  }

  /** Their folder `node_modules`. */
  get modules(): string {
    return join(process.env.QUIRE_CACHE ?? join(root, ".cache"), this.#name, "node_modules");
  }

  /** True if all of them are installed, in the right version. */
  isInstalled(): boolean {
    return Object.entries(this.#wanted).every(
      ([name, version]) => this.#installedVersion(name) === version.split("@").at(-1),
    );
  }

  /** Installs them. */
  async install(): Promise<void> {
    const prefix = join(this.modules, "..");
    mkdirSync(prefix, { recursive: true });
    writeFileSync(join(prefix, "package.json"), '{ "private": true }\n');
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...this.#flags];
    const packages = Object.entries(this.#wanted).map(([name, version]) => `${name}@${version}`);
    const { code, output } = await runCommand("npm", ["install", "--prefix", prefix, ...flags, ...packages], {
      cwd: prefix,
    });
    if (code !== 0) throw new Error(`npm install ${packages.join(" ")} failed:\n${output.slice(-2000)}`);
  }

  #installedVersion(name: string): string | undefined {
    const manifest = join(this.modules, name, "package.json");
    return existsSync(manifest)
      ? // Some write it with a "v".
        (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version.replace(/^v/, "")
      : undefined;
  }
}
