import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import MagicString from "magic-string";
import { parseSync } from "oxc-parser";
import { type GetManualChunk, type Plugin, rollup } from "rollup";
import { buildPageInto, embeddedBeside, embeddedModule } from "./embedded-page.ts";
import { type ExportTarget, filesBelow, type Manifest, type Package, resolveTarget, root } from "./workspace.ts";

/** The folder of a package as it is published. */
export const staged = (short: string): string => join(root, "dist", short);

/**
 * Puts a package together as it is published, out of what the compiler wrote: the declarations as they are, the code in
 * few files, since opening hundreds of them makes a cold start slow. `bun` leads to the sources, which is for this
 * repository only.
 */
export async function stage({ short, dir, manifest }: Package): Promise<void> {
  const folder = staged(short);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  for (const file of ["README.md", "bin", "src"]) {
    if (existsSync(join(dir, file))) cpSync(join(dir, file), join(folder, file), { recursive: true });
  }
  const compiled = join(dir, "dist");
  for (const file of [...filesBelow(compiled, ".d.ts"), ...filesBelow(compiled, ".d.ts.map")]) {
    cpSync(file, join(folder, relative(dir, file)));
  }
  // A program is published as its sources; Bun runs them.
  const plugins = short === "web" ? [await pagePlugin(folder)] : [];
  if (manifest.exports) await bundleCode(manifest, compiled, { folder, plugins });
  const text = readFileSync(join(dir, "package.json"), "utf8");
  const published = JSON.parse(text, (key, value) =>
    key === "exports" || key === "imports" ? withoutBun(value) : value,
  );
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
}

interface Bundling {
  readonly folder: string;
  readonly plugins: readonly Plugin[];
}

async function bundleCode(manifest: Manifest, compiled: string, { folder, plugins }: Bundling): Promise<void> {
  const input = entries(manifest, compiled);
  const bundle = await rollup({
    plugins: [...plugins, compiledCode],
    input,
    // What other entries share with the root is exported there, under names of no meaning, rather than put in a file more.
    preserveEntrySignatures: "allow-extension",
    // Other packages, and what the manifest resolves by platform (`#host`), are left to whoever loads them.
    external: (name) => !name.startsWith(".") && !isAbsolute(name),
    // The compiler's helper functions ask for `this`, which a module does not have.
    onwarn: (warning, warn) => warning.code !== "THIS_IS_UNDEFINED" && warn(warning),
  });
  const manualChunks = input.index === undefined ? undefined : rootAsOneFile(input.index);
  await bundle.write({
    dir: join(folder, "dist"),
    format: "es",
    hoistTransitiveImports: false,
    manualChunks,
    // The package holds the sources that the maps name.
    sourcemap: true,
    sourcemapExcludeSources: true,
    sourcemapPathTransform: (source, map) => toPublishedSource(source, map, { compiled, folder }),
  });
  await bundle.close();
}

/** Source maps name files of this repository; published, the same files lie beside `dist`. */
function toPublishedSource(
  source: string,
  map: string,
  { compiled, folder }: { compiled: string; folder: string },
): string {
  const inPackage = relative(dirname(compiled), resolve(dirname(map), source));
  return relative(dirname(map), join(folder, inPackage));
}

/** Keeps everything that the root entry loads at once in its own file: each file more costs a cold start half a millisecond. */
function rootAsOneFile(entry: string): GetManualChunk {
  let atOnce: Set<string> | undefined;
  return (id, { getModuleInfo }) => {
    if (!atOnce) {
      atOnce = new Set([entry]);
      for (const each of atOnce) for (const next of getModuleInfo(each)?.importedIds ?? []) atOnce.add(next);
    }
    return atOnce.has(id) ? "index" : null;
  };
}

/** Builds the page beside the code that serves it: whoever installs the package has no sources to build it from. */
async function pagePlugin(folder: string): Promise<Plugin> {
  const files = await buildPageInto(join(folder, "dist", "page"));
  return { name: "embedded-page", load: (id) => (embeddedModule.test(id) ? embeddedBeside("page", files) : null) };
}

/** Reads compiled code with its source map and without comments: those are for the declarations, and cost a cold start time. */
const compiledCode: Plugin = {
  name: "compiled-code",
  load(id) {
    const map = `${id}.map`;
    return existsSync(map) ? { code: readFileSync(id, "utf8"), map: readFileSync(map, "utf8") } : null;
  },
  transform(code, id) {
    const text = new MagicString(code);
    for (const { start, end } of parseSync(id, code).comments) text.remove(...withItsLine(code, start, end));
    return { code: text.toString(), map: text.generateMap({ source: id, hires: "boundary" }) };
  },
};

/** A comment that has lines of its own goes with these lines. */
function withItsLine(code: string, start: number, end: number): [number, number] {
  const lineStart = code.lastIndexOf("\n", start - 1) + 1;
  const alone = code.slice(lineStart, start).trim() === "" && (code[end] === "\n" || end === code.length);
  return alone ? [lineStart, Math.min(end + 1, code.length)] : [start, end];
}

/** The files that the manifest names, by their paths without the ending. */
function entries({ exports = {}, imports = {} }: Manifest, compiled: string): Record<string, string> {
  const targets = [...Object.values(exports), ...Object.values(imports)];
  const files = targets.flatMap((target) => [resolveTarget(target, ["browser"]), resolveTarget(target, [])]);
  const names = files.flatMap((file) => (file ? [file.replace(/^\.\/dist\/|\.js$/g, "")] : []));
  return Object.fromEntries(names.map((name) => [name, join(compiled, `${name}.js`)]));
}

function withoutBun(target: ExportTarget): ExportTarget {
  if (typeof target === "string") return target;
  const rest = Object.entries(target).filter(([condition]) => condition !== "bun");
  return Object.fromEntries(rest.map(([condition, next]) => [condition, withoutBun(next)]));
}
