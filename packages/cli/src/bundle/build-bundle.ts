import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { executableOptions } from "./executable-options.ts";
import type { MadeOf } from "./made-of.ts";
import { marksOf } from "./marks.ts";

/** Commands that a bundle has, as files; the others are left to the source. */
const kept = /[\\/](commands[\\/](app-server|run)|codex[\\/]exec|lib[\\/][a-z-]+|args[\\/][a-z-]+)\.ts$/;
const table = /[\\/]cli[\\/]src[\\/](commands|main|commands[\\/]app-server)\.ts$/;

/** Real path of this package. */
export const ownPackage: string = realpathSync(fileURLToPath(new URL("../..", import.meta.url)));

/**
 * Builds an executable of this package as it is now.
 * @param outfile Its path, in a private folder, which is the current one for as long as it is written.
 * @returns Its parts; `undefined` where a source changed meanwhile.
 */
export async function buildBundle(outfile: string): Promise<MadeOf | undefined> {
  const cli = ownPackage;
  const entrypoints = [join(cli, "src", "bundled.ts")];
  // First without code, for the list of sources, which the bundle carries.
  const { metafile } = await Bun.build({
    entrypoints,
    target: "bun",
    conditions: ["bun"],
    splitting: true,
    plugins: [leaveOut],
    metafile: true,
  });
  const inputs = Object.keys(metafile?.inputs ?? {}).map((path) => resolve(path));
  const sources = inputs.filter((path) => existsSync(path)).map((path) => realpathSync(path));
  if (!sources.includes(join(cli, "src", "main.ts")))
    throw new Error("The sources of the bundle are unknown, so it could not tell when it is out of date.");
  const bun = process.execPath;
  const files = [...new Set([...sources, ...manifests(sources), ...linkFolders(cli), realpathSync(bun)])].sort();
  const madeOf: MadeOf = { cli, bun, files, marks: marksOf(files) };
  const contents = `export const madeOf = ${JSON.stringify(madeOf)};`;
  const embed: Bun.BunPlugin = {
    name: "made-of",
    setup: (build) => void build.onLoad({ filter: /[\\/]bundle[\\/]made-of\.ts$/ }, () => ({ contents, loader: "ts" })),
  };
  const back = process.cwd();
  // Bun writes an executable to the current folder first, else to /tmp, where commands could change it.
  process.chdir(dirname(outfile));
  await Bun.build({ ...executableOptions(outfile), entrypoints, plugins: [leaveOut, embed] }).finally(() =>
    process.chdir(back),
  );
  const after = marksOf(files);
  return madeOf.marks.every((mark, at) => mark === after[at]) ? madeOf : undefined;
}

const leaveOut: Bun.BunPlugin = {
  name: "leave-out",
  setup: (build) =>
    void build.onResolve({ filter: /^\.{1,2}[\\/]/ }, ({ path, importer, kind }) =>
      kind === "dynamic-import" &&
      table.test(importer) &&
      !kept.test(resolve(dirname(importer), path)) &&
      !path.endsWith("main.ts")
        ? { path, external: true }
        : undefined,
    ),
};

/** The manifests by which sources were found. */
function manifests(sources: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const folder of new Set(sources.map((path) => dirname(path)))) {
    for (let at = folder; at !== dirname(at); at = dirname(at)) {
      const manifest = join(at, "package.json");
      if (!existsSync(manifest)) continue;
      found.add(manifest);
      break;
    }
  }
  return found;
}

/** The folders whose links say which packages are meant. */
function linkFolders(cli: string): string[] {
  const folders: string[] = [];
  for (let at = cli; at !== dirname(at); at = dirname(at)) {
    const folder = join(at, "node_modules", "@quire");
    if (lstatSync(folder, { throwIfNoEntry: false })) folders.push(folder);
  }
  return folders;
}
