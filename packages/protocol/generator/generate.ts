import { type CodexBinary, pinnedCodex } from "./codex-binary.ts";
import { emitDefaults } from "./emit-defaults.ts";
import { emitMethodRows, emitMethodTypes } from "./emit-methods.ts";
import { emitSchemas } from "./emit-schemas.ts";
import { banner, emitTypes } from "./emit-types.ts";
import { emitVersions, sinceOf } from "./emit-versions.ts";
import { type History, readHistory, takeSnapshot, withSnapshot } from "./history.ts";
import { buildModel } from "./model.ts";
import { readSurface } from "./surface.ts";

/** Files generated for one Codex version. */
export interface Generated {
  readonly version: string;
  /** Text by file name. */
  readonly files: ReadonlyMap<string, string>;
  /** The names of every version up to this one. */
  readonly history: History;
}

/** Generates everything from a Codex, by default the pinned one, and the kept history. Touches no file of the repository. */
export function generate({ binary, version }: CodexBinary = pinnedCodex()): Generated {
  const experimental = readSurface(binary, { experimental: true });
  const model = buildModel(experimental, readSurface(binary, { experimental: false }));
  const history = withSnapshot(readHistory(), version, takeSnapshot(experimental, version));
  const types = emitTypes(model);
  const files = new Map([
    ...types,
    ["types.ts", emitIndex([...types.keys()])],
    ["method-types.ts", emitMethodTypes(model)],
    ["methods.ts", emitMethodRows(model, sinceOf(history))],
    ["schemas.ts", emitSchemas(model)],
    ["defaults.ts", emitDefaults(model)],
    ["codex-version.ts", emitVersion(version)],
    ["versions.ts", emitVersions(history)],
  ]);
  return { version, files, history };
}

function emitVersion(version: string): string {
  return `${banner}\n/** The version of Codex whose protocol this is. */\nexport const codexVersion = ${JSON.stringify(version)};\n`;
}

function emitIndex(files: readonly string[]): string {
  return `${banner}\n${files.map((file) => `export type * from "./${file}";\n`).join("")}`;
}
