import { ProgramProblem, runProgram } from "../../exec/run-program.ts";

/** How long a profile is believed not to have changed. */
const keptMs = 10 * 60_000;

/** A profile that takes longer is not waited for. */
const timeoutMs = 10_000;

/** Stands around what is asked for: profiles print what they like. */
const mark = "\u0001quire-path\u0001";

interface Learned {
  readonly at: number;
  readonly path: Promise<string | undefined>;
}

const learned = new Map<string, Learned>();

/** More shells and environments than a server has. */
const maxLearned = 64;

/**
 * The PATH that the user's profile makes, by which a login shell finds programs. Asked of the shell once for each
 * environment; `undefined` where it does not say.
 */
export function loginPath(shell: string, env: Readonly<Record<string, string>>): Promise<string | undefined> {
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
    const output = await runProgram({ name: shell, args, env, cwd: "/", timeoutMs, complaints: "told" });
    return output.split(mark)[1];
  } catch (error) {
    if (error instanceof ProgramProblem) return undefined;
    throw error;
  }
}
