import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadPage } from "@quire/web";

/** The module of the web package that lists the files of a page built beforehand, as source and as compiled. */
export const embeddedModule: RegExp = /packages[\\/]web[\\/](src|dist)[\\/]bundle[\\/]embedded\.(ts|js)$/;

/** Builds the page into a folder. Returns the files, relative to it, by the path they are served under. */
export async function buildPageInto(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const { path, body } of await loadPage()) {
    const file = path === "/" ? "index.html" : path.slice(1);
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), body);
    files.set(path, file);
  }
  return files;
}

/** Code of the module for an executable, which carries the files in itself. */
export function embeddedInExecutable(folder: string, files: ReadonlyMap<string, string>): string {
  const entries = [...files];
  const imports = entries.map(
    ([, file], index) => `import file${index} from ${JSON.stringify(join(folder, file))} with { type: "file" };`,
  );
  const rows = entries.map(([path], index) => `${JSON.stringify(path)}: file${index},`);
  return `${imports.join("\n")}\nexport const embedded = {\n${rows.join("\n")}\n};\n`;
}

/** Code of the module for a package, in which the files lie in a folder beside it. */
export function embeddedBeside(name: string, files: ReadonlyMap<string, string>): string {
  const rows = [...files].map(([path, file]) => `${JSON.stringify(path)}: at(${JSON.stringify(`./${name}/${file}`)}),`);
  return [
    'import { fileURLToPath } from "node:url";',
    "const at = (file) => fileURLToPath(new URL(file, import.meta.url));",
    `export const embedded = {\n${rows.join("\n")}\n};\n`,
  ].join("\n");
}
