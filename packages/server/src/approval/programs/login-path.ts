import { delimiter } from "node:path";
import { ProgramProblem, runProgram } from "../../run/process/run-program.ts";

/** Lifetime of a profile's result. */
const keptMs = 10 * 60_000;

const timeoutMs = 10_000;

/** Surrounds the result: profiles print what they like. */
const mark = "\u0001quire-path\u0001";

interface Learned {
  readonly at: number;
  readonly path: Promise<string | undefined>;
}

const learned = new Map<string, Learned>();

const maxLearned = 64;

/** A shell that is asked. */
export interface LoginShell {
  readonly shell: string;
  /** Its variables. None leads to files that a model may have written. */
  readonly env: Readonly<Record<string, string>>;
  /** True when a model can put programs into a folder on PATH. */
  readonly isOpen: (folder: string) => boolean;
}

/**
 * The PATH made by the user's profile, as a login shell uses it. Read once for each environment; `undefined` when the
 * shell does not say. Profiles run programs: folders that a model can write are hidden from them.
 */
export async function loginPath({ shell, env, isOpen }: LoginShell): Promise<string | undefined> {
  const standIns = new Map<string, string>();
  const shown = (env.PATH ?? "").split(delimiter).map((folder, index) => {
    if (!isOpen(folder)) return folder;
    const standIn = `/nonexistent/quire-${index}`;
    standIns.set(standIn, folder);
    return standIn;
  });
  const made = await learn(shell, { ...env, PATH: shown.join(delimiter) });
  const folders = made?.split(delimiter).map((folder) => standIns.get(folder) ?? folder);
  return folders?.join(delimiter);
}

function learn(shell: string, env: Readonly<Record<string, string>>): Promise<string | undefined> {
  const key = JSON.stringify([shell, env]);
  const known = learned.get(key);
  if (known !== undefined && performance.now() - known.at < keptMs) return known.path;
  if (learned.size >= maxLearned) learned.clear();
  const path = ask(shell, env);
  learned.set(key, { at: performance.now(), path });
  return path;
}

async function ask(shell: string, env: Readonly<Record<string, string>>): Promise<string | undefined> {
  const args = ["-lc", `printf '%s%s%s' '${mark}' "$PATH" '${mark}'`];
  try {
    const output = await runProgram({ name: shell, args, env, cwd: "/", timeoutMs, complaints: "throw" });
    return output.split(mark)[1];
  } catch (error) {
    if (error instanceof ProgramProblem) return undefined;
    throw error;
  }
}
