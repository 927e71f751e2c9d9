import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runCommand } from "../../scripts/lib/run-command.ts";
import { staged } from "../../scripts/lib/stage.ts";
import { packages, root } from "../../scripts/lib/workspace.ts";

/** Packages that are published for programs to import. */
export const published = packages().filter(({ manifest }) => !manifest.private && manifest.exports);

/** Optional peers are installed: an importer of an entry that needs one has it. */
const peers = published.flatMap(({ manifest }) =>
  Object.entries(manifest.peerDependencies ?? {}).map(([name, range]) => `${name}@${range}`),
);
// The types of @ai-sdk/provider need these and do not bring them.
if (peers.some((peer) => peer.startsWith("@ai-sdk/provider@"))) peers.push("@types/json-schema");

/** A folder of somebody else, with our packages installed from tarballs as they would be published. */
export class Consumer {
  readonly folder: string = mkdtempSync(join(tmpdir(), "quire-consumer-"));
  #installed: Promise<void> | undefined;

  /** Packs and installs, once: it takes a minute where the cache is empty or others work beside it. */
  install(): Promise<void> {
    this.#installed ??= this.#install();
    return this.#installed;
  }

  /** Makes a project of its own below, which finds the packages as if they were its own. Gives its folder. */
  project(name: string, files: Readonly<Record<string, string>>): string {
    const folder = join(this.folder, name);
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    return folder;
  }

  /** Runs a command and gives what it printed; a failure is the test's. */
  async run(command: string, args: readonly string[], cwd: string = this.folder): Promise<string> {
    const { code, output } = await runCommand(command, args, { cwd });
    assert.equal(code, 0, `${command} ${args.join(" ")} failed:\n${output}`);
    return output;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #install(): Promise<void> {
    const tarballs = join(this.folder, "tarballs");
    const folders = published.map(({ short }) => staged(short));
    this.project(".", { "package.json": '{ "name": "consumer", "private": true, "type": "module" }' });
    mkdirSync(tarballs);
    await this.run("npm", ["pack", "--silent", "--pack-destination", tarballs, ...folders], root);
    const files = readdirSync(tarballs).map((file) => join(tarballs, file));
    assert.equal(files.length, published.length);
    const flags = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts", "--loglevel=error"];
    // Who imports an entry that speaks of Node's types has these.
    const types = join(root, "node_modules", "@types", "node");
    await this.run("npm", ["install", ...flags, ...files, ...peers, types, "--install-links"]);
  }
}
