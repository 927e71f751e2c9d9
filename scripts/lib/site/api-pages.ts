import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type CommandResult, runCommand } from "../run-command.ts";
import { packages, resolveTarget, root } from "../workspace.ts";
import { contentFolder, siteFolder } from "./stage-site.ts";

/** An entry point of a package that has a page in the API reference. */
interface ApiEntry {
  /** Import path: `@quire/client/view`. */
  readonly name: string;
  readonly file: string;
}

/** Every entry point that is TypeScript, by import path. */
function apiEntries(): ApiEntry[] {
  return packages().flatMap(({ dir, manifest }) =>
    Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) => {
      const file = resolveTarget(target, ["bun"]);
      return file?.endsWith(".ts") ? [{ name: manifest.name + entry.slice(1), file: join(dir, file) }] : [];
    }),
  );
}

/** Writes a page for each entry point to `site/content/reference`, with every exported name. */
export async function writeApiPages(): Promise<CommandResult> {
  const entries = apiEntries();
  const settings = {
    name: "API",
    entryPoints: entries.map(({ file }) => file),
    tsconfig: join(siteFolder, "typedoc.tsconfig.json"),
    plugin: ["typedoc-plugin-markdown", join(siteFolder, "typedoc-names.mjs")],
    out: join(contentFolder, "reference"),
    entryFileName: "index.md",
    readme: "none",
    router: "module",
    skipErrorChecking: true,
    excludeInternal: true,
    excludePrivate: true,
    disableSources: true,
    githubPages: false,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    parametersFormat: "table",
    interfacePropertiesFormat: "table",
    typeDeclarationFormat: "table",
    validation: { invalidLink: false, notExported: false, notDocumented: false },
    logLevel: "Error",
    basePath: root,
  };
  const file = join(siteFolder, "typedoc.generated.json");
  writeFileSync(file, JSON.stringify(settings));
  // TypeDoc names a module by its file.
  const names = entries.map(({ name, file: path }) => [relative(root, path).replace(/(\/index)?\.ts$/, ""), name]);
  writeFileSync(join(siteFolder, "typedoc-names.generated.json"), JSON.stringify(names));
  return runCommand(join(siteFolder, "node_modules", ".bin", "typedoc"), ["--options", file], { cwd: siteFolder });
}
