import { dirname, isAbsolute, join } from "node:path";
import { isWithin } from "../lib/is-within.ts";
import { readFile } from "../workspace-files/read-file.ts";
import { FileRefused } from "../workspace-files/root.ts";
import { unreadable } from "./config-files.ts";
import type { LayerWarning } from "./layer.ts";
import type { Project } from "./project.ts";
import type { Settings } from "./settings.ts";
import type { ProjectTrust } from "./trust/project-trust.ts";

interface Reader {
  readonly home: string;
  readonly project: Project;
  readonly trust: ProjectTrust;
}

interface Instructions {
  /** `null` when none are set, or they must not be read. */
  readonly text: string | null;
  readonly warnings: readonly LayerWarning[];
}

const maxBytes = 4 << 20;

/** Reads the file that replaces the base instructions. In a project it counts only as the user trusted it. */
export function readInstructions(settings: Settings, { home, project, trust }: Reader): Instructions {
  const path = instructionsFile(settings, home);
  if (path === null) return { text: null, warnings: [] };
  const leftOut = (why: string, remedy: string) => ({
    text: null,
    warnings: [{ summary: `${path} is left out: ${why}.`, details: remedy, path }],
  });
  // A home in a project, as under a repository of dotfiles, is still the user's own.
  const isInHome = isWithin(path, home);
  const root =
    isInHome || !isWithin(path, project.root) ? { path: dirname(path), trusted: true } : { path: project.root };
  try {
    const bytes = readFile(path, { root, home, maxBytes })?.bytes;
    if (bytes === undefined) throw unreadable(path, new Error("ENOENT: no such file"));
    if (isInHome || trust.isTrusted(project, path, bytes)) return { text: bytes.toString("utf8"), warnings: [] };
    return leftOut(
      "it came or changed after you trusted the project",
      "Check it, then run `quire trust` in the project.",
    );
  } catch (error) {
    if (error instanceof FileRefused) return leftOut(error.message, "Name another file as model_instructions_file.");
    throw (error as NodeJS.ErrnoException).code === undefined ? error : unreadable(path, error);
  }
}

/** Relative names start at the home. */
function instructionsFile(settings: Settings, home: string): string | null {
  const path = settings.name("model_instructions_file") ?? settings.name("experimental_instructions_file");
  if (path === null) return null;
  return isAbsolute(path) ? path : join(home, path);
}
