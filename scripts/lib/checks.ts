import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Outcome } from "./outcome.ts";
import { type CommandResult, runCommand } from "./run-command.ts";
import { staged } from "./stage.ts";
import { bin, type Package, packages, root } from "./workspace.ts";

/** A check of the whole repository. */
export interface Check {
  readonly name: string;
  /** It reads `dist/` and therefore waits for the types check, which writes it. */
  readonly afterBuild: boolean;
  run(): Promise<CommandResult>;
}

/** Types of all packages, their tests, the scripts and benchmarks. It also builds. */
export const typesCheck: Check = {
  name: "types",
  afterBuild: false,
  run: () => runCommand(process.execPath, [join(root, "scripts", "build.ts")]),
};

/** Every check but {@link typesCheck}. Layering is not among them: it is a test of the root. */
export function checks(): Check[] {
  const published = packages().filter(({ manifest }) => !manifest.private && manifest.exports);
  return [
    { name: "lint and format", afterBuild: false, run: () => runCommand(bin("biome"), ["ci", "--colors=off"]) },
    { name: "unused code", afterBuild: false, run: () => runCommand(bin("knip"), ["--no-progress"]) },
    { name: "floating promises", afterBuild: true, run: () => runCommand(bin("oxlint"), ["--type-aware"]) },
    { name: "protocol is up to date", afterBuild: true, run: () => runCommand(process.execPath, [protocolCheck]) },
    ...published.flatMap(packageChecks),
  ];
}

const protocolCheck = join(root, "packages", "protocol", "generator", "check.ts");

function packageChecks({ short }: Package): Check[] {
  const dir = staged(short);
  return [
    {
      name: `publint ${short}`,
      afterBuild: true,
      run: () => runCommand(bin("publint"), ["run", "--strict", "--pack=npm", dir]),
    },
    { name: `attw ${short}`, afterBuild: true, run: () => areTheTypesWrong(dir) },
  ];
}

/** Packs into a folder of its own: packing within the package would collide with whoever else packs it just now. */
async function areTheTypesWrong(dir: string): Promise<CommandResult> {
  const folder = mkdtempSync(join(tmpdir(), "quire-attw-"));
  try {
    const packed = await runCommand("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: dir });
    const [tarball] = readdirSync(folder);
    if (packed.code !== 0 || tarball === undefined) return { ...packed, code: packed.code || 1 };
    const flags = ["--profile", "esm-only", "--no-emoji", "--no-color"];
    return await runCommand(bin("attw"), [...flags, join(folder, tarball)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a check as one test. */
export async function runCheck(check: Check): Promise<Outcome> {
  const { code, output, seconds } = await check.run();
  const ok = code === 0;
  return { name: check.name, passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: [], seconds, details: output };
}
