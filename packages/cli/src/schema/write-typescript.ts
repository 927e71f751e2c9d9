import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { types } from "./generated/typescript.ts";
import { pick } from "./pick.ts";

const header = "// GENERATED CODE! DO NOT MODIFY BY HAND!\n\n";

/** Writes a file for every type, and an index for each of the two folders that clients import from. */
export function writeTypescript(out: string, experimental: boolean): void {
  const bodies = pick(types, experimental);
  const anywhere = new Map([...bodies.keys()].map((path) => [nameOf(path), path]));
  for (const [path, body] of bodies) {
    const imports = [...wordsIn(body)].flatMap((word) => {
      // Some names are there twice; a type means the one beside it, unless it names the folder.
      const beside = join(dirname(path), word);
      const found = [word.includes("/") ? word : beside, anywhere.get(word)].find((each) => bodies.has(each ?? ""));
      return found === undefined || found === path ? [] : [{ word: nameOf(word), from: pathBetween(path, found) }];
    });
    const lines = imports
      .sort((a, b) => (a.from < b.from ? -1 : 1))
      .map(({ word, from }) => `import type { ${word} } from "${from}";\n`);
    const text = `${header}${lines.join("")}${lines.length > 0 ? "\n" : ""}export type ${nameOf(path)} = ${plain(body)};\n`;
    mkdirSync(join(out, dirname(path)), { recursive: true });
    writeFileSync(join(out, `${path}.ts`), text);
  }
  for (const folder of [".", "v2"]) {
    const names = [...bodies.keys()].filter((path) => dirname(path) === folder).map(nameOf);
    const rows = names.sort().map((name) => `export type { ${name} } from "./${name}";\n`);
    const inner = folder === "." ? 'export * as v2 from "./v2";\n' : "";
    writeFileSync(join(out, folder, "index.ts"), `${header}${rows.join("")}${inner}`);
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Words outside of quotes that are no names of fields: only they can name a type. */
function wordsIn(body: string): Set<string> {
  return new Set(body.replace(/"[^"]*"/g, "").match(/(?:\b\w+\/)?\b[A-Z]\w*\b(?!\??:)/g) ?? []);
}

/** Without the folders that tell two types of one name apart. */
const plain = (body: string): string => body.replace(/\bv2\/(?=[A-Z])/g, "");

function pathBetween(from: string, to: string): string {
  const folder = dirname(from);
  if (dirname(to) === folder) return `./${nameOf(to)}`;
  return folder === "." ? `./${to}` : `../${to}`;
}
