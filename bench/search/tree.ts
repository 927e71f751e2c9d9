import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesEach, folders } from "./sizes.ts";

const areas = ["src", "packages", "test", "docs", "lib", "tools"];
const words = ["button", "index", "config", "session", "render", "worker", "parser", "layout", "stream", "token"];
const endings = [".ts", ".tsx", ".json", ".md", ".css"];

/** Makes a project with 100,000 files: names as in any other, always the same. */
export function makeTree(root: string): void {
  for (let folder = 0; folder < folders; folder++) {
    const path = join(
      root,
      pick(areas, folder),
      `${pick(words, folder)}-${folder % 37}`,
      pick(words, folder * 7 + 3),
      `part${folder}`,
    );
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < filesEach; file++) {
      const name = `${pick(words, file + folder)}${capital(pick(words, file * 3 + folder))}${file}${pick(endings, file)}`;
      writeFileSync(join(path, name), "");
    }
  }
  writeFileSync(join(root, ".gitignore"), "node_modules/\n*.log\n/dist\n");
}

const pick = (list: readonly string[], index: number): string => list[index % list.length] as string;
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
