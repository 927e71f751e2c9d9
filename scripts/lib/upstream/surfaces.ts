import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { CodexBinary } from "../../../packages/protocol/generator/codex-binary.ts";
import { type Description, describeSurface } from "../../../packages/protocol/generator/describe.ts";
import type { Change } from "../../../packages/protocol/generator/difference.ts";
import { generate } from "../../../packages/protocol/generator/generate.ts";
import { readSurface } from "../../../packages/protocol/generator/surface.ts";

/** Describes the protocol of one Codex. */
export function describeCodex(binary: string): Description {
  const [experimental, stable] = [true, false].map((flag) => readSurface(binary, { experimental: flag }));
  if (experimental === undefined || stable === undefined) throw new Error("a surface is missing");
  return describeSurface(experimental, stable);
}

/** Generates types and tables into their own folder. Returns what the generator has to learn first, if anything. */
export function regenerate(codex: CodexBinary, folder: string): string | undefined {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    for (const [name, text] of generate(codex).files) writeFileSync(join(folder, name), text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The features that differ in whether they are on, or in how far they are. */
export function featureChanges(before: string, after: string): Change[] {
  const [old, now] = [featuresOf(before), featuresOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((name): Change[] => {
    const [was, is] = [old.get(name), now.get(name)];
    if (was === is) return [];
    const change = was === undefined ? "added" : is === undefined ? "removed" : "changed";
    return [
      { change, what: "feature", name, detail: change === "changed" ? `was ${was}, is ${is}` : (is ?? was ?? "") },
    ];
  });
}

/** Features by `codex features list`: stage, and whether it is on. Older versions have no such command. */
function featuresOf(binary: string): Map<string, string> {
  const home = mkdtempSync(join(tmpdir(), "quire-upstream-"));
  try {
    const env = { ...process.env, CODEX_HOME: home };
    const text = execFileSync(binary, ["features", "list"], {
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return new Map(
      [...text.matchAll(/^(\S+)\s{2,}(.+?)\s{2,}(true|false)\s*$/gm)].map(([, name = "", stage = "", on]) => [
        name,
        `${stage}, ${on === "true" ? "on" : "off"}`,
      ]),
    );
  } catch {
    return new Map();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
