import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** A protection, and the code that takes its place where it is off. */
interface Protection {
  readonly file: string;
  readonly code: string;
  readonly without: string;
}

const sandbox = "run/sandbox";

/** The protections that a turn meets, below `packages/server/src`. */
const protections: readonly Protection[] = [
  {
    // Files are opened as anybody would.
    file: "workspace-files/open-file.ts",
    code: "  try {\n    for (let attempt = 1;",
    without:
      '  try {\n    if (kind !== "folder") {\n      const descriptor = openSync(path, constants.O_RDONLY);\n      return { descriptor, stats: fstatSync(descriptor), real: path };\n    }\n    for (let attempt = 1;',
  },
  {
    // Whatever stands in a trusted project is trusted.
    file: "config/trust/project-trust.ts",
    code: "  judge(folder: ProjectFolder, values: Table | undefined): Distrust | undefined {\n",
    without:
      "  judge(folder: ProjectFolder, values: Table | undefined): Distrust | undefined {\n    if (folder) return undefined;\n",
  },
  {
    // Commands run by what PATH has.
    file: "approval/programs/vet-programs.ts",
    code: "  const { lookup, places, ownHome, homes } = programs;\n",
    without: "  if (action) return action;\n  const { lookup, places, ownHome, homes } = programs;\n",
  },
  {
    // There is no second layer.
    file: `${sandbox}/entry/find-entry.ts`,
    code: "rulesetOf(libc()?.landlockVersion() ?? 0)",
    without: "rulesetOf(0)",
  },
  {
    // No names are protected, and no place is kept for those that are not there.
    file: `${sandbox}/reach.ts`,
    code: "outermost(protectedPaths(folders).filter((path) => !isHidden(path)))",
    without: "outermost([] as string[]).filter((path) => !isHidden(path))",
  },
  {
    // The homes are visible.
    file: `${sandbox}/reach.ts`,
    code: "hiddenFolders(homes)",
    without: "hiddenFolders([])",
  },
  {
    file: `${sandbox}/reach.ts`,
    code: "[...new Set([...protectedLinks(folders), ...linksToHomes(homes, roots)])]",
    without: "[] as string[]",
  },
];

/** Copies a checkout into an empty folder, without its protections. Throws where one is not found any more. */
export function makeUnprotected(checkout: string, folder: string): void {
  const skipped = new Set(["dist", "test", "node_modules"]);
  for (const name of ["package.json", "tsconfig.base.json", "packages"]) {
    cpSync(join(checkout, name), join(folder, name), {
      recursive: true,
      filter: (path) => !skipped.has(basename(path)),
    });
  }
  for (const name of ["", ...readdirSync(join(checkout, "packages")).map((each) => join("packages", each))]) {
    linkModules(join(checkout, name, "node_modules"), join(folder, name, "node_modules"), folder);
  }
  for (const { file, code, without } of protections) {
    const path = join(folder, "packages", "server", "src", file);
    const text = readFileSync(path, "utf8");
    if (text.split(code).length !== 2)
      throw new Error(`${file} has changed: ${JSON.stringify(code)} is not in it once`);
    writeFileSync(
      path,
      text.replace(code, () => without),
    );
  }
}

/** Links to packages of others; to ours, those of the copy. */
function linkModules(from: string, to: string, folder: string): void {
  let names: string[];
  try {
    names = readdirSync(from);
  } catch {
    return;
  }
  mkdirSync(to, { recursive: true });
  for (const name of names.filter((each) => each !== "@quire")) symlinkSync(join(from, name), join(to, name));
  if (!names.includes("@quire")) return;
  mkdirSync(join(to, "@quire"));
  for (const name of readdirSync(join(from, "@quire")))
    symlinkSync(join(folder, "packages", name), join(to, "@quire", name));
}
