import { readFileSync } from "node:fs";
import { Converter } from "typedoc";

/** Names modules by the path that a program imports, not by that of their file. */
export function load(app) {
  const names = new Map(JSON.parse(readFileSync(new URL("typedoc-names.generated.json", import.meta.url), "utf8")));
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) module.name = names.get(module.name) ?? module.name;
  });
}
