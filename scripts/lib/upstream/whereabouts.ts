import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../workspace.ts";

/** Finds the files of the server that a change of the protocol belongs to. */
export class Whereabouts {
  readonly #files: readonly { readonly path: string; readonly text: string }[];

  /** @param folder Where the server's sources are, from the root of the repository. */
  constructor(folder = "packages/server/src") {
    this.#files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .sort()
      .map((name) => ({ path: join(folder, name), text: readFileSync(join(root, folder, name), "utf8") }));
  }

  /** The file that serves a method, or the one that serves those most like it. */
  ofMethod(method: string): string | undefined {
    const segments = method.split("/");
    for (let length = segments.length; length > 0; length -= 1) {
      const start = `"${segments.slice(0, length).join("/")}`;
      // Others may name a method, to call it or to speak of it.
      const weight = (path: string) => (path.includes("/processors/") ? 10 : 1);
      const found = this.#best((text, path) => (text.split(start).length - 1) * weight(path), 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The file that makes, or reads, objects with most of these fields. */
  ofFields(fields: readonly string[]): string | undefined {
    const words = fields.map((field) => new RegExp(`\\b${field}\\b\\??[:,]`));
    return this.#best((text) => words.filter((word) => word.test(text)).length, Math.min(2, words.length));
  }

  #best(score: (text: string, path: string) => number, least: number): string | undefined {
    const scored = this.#files.map(({ path, text }) => ({ path, points: score(text, path) }));
    const best = scored.reduce((one, other) => (other.points > one.points ? other : one), { path: "", points: 0 });
    return best.points >= least && best.points > 0 ? best.path : undefined;
  }
}
