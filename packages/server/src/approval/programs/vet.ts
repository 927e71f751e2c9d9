import { basename } from "node:path";
import { quoteWord } from "../../shell/quote.ts";
import { type CommandAction, launchedAs } from "../action.ts";
import type { Commands } from "../commands.ts";
import type { Ground } from "../judge-command.ts";
import { inOwnRepository, onlyLooks } from "./judge-repository.ts";
import { loginPath } from "./login-path.ts";
import { OpenPlaces } from "./open-places.ts";
import { lookingVariables, ownVariables } from "./own-variables.ts";
import { ProgramLookup } from "./program-lookup.ts";

/** Programs that run what files of the work say, with whatever programs those name: a rule for them is one for the work. */
const builders = new Set("bmake gmake just make ninja task".split(" "));

/** What is known of the programs of a command. */
export interface Programs {
  readonly lookup: ProgramLookup;
  readonly places: OpenPlaces;
  /** Whether the home is the user's alone. Otherwise no shell reads its profile: a model may have written what that reads. */
  readonly ownHome: boolean;
}

/** A command that would run unasked. */
interface VettingCase {
  readonly action: CommandAction;
  readonly commands: Commands;
  readonly ground: Ground;
}

/** Looks up the programs of a command on this machine, on the PATH that its shell has. */
export async function programsOf(
  action: CommandAction,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Programs> {
  const places = new OpenPlaces(action.limits, env);
  const home = action.env.HOME;
  const ownHome = home !== undefined && !places.has(home);
  // A shell that does not say where it looks may look anywhere.
  const asks = action.login && ownHome;
  const path = asks ? ((await loginPath(action.shell, action.env)) ?? ".") : action.env.PATH;
  return { lookup: new ProgramLookup(path, action.folder, places), places, ownHome };
}

/**
 * A command as it is run unasked: with exactly the programs that were looked up. `undefined` where one of them, or what git
 * would read as its settings, may be the work of a model.
 */
export function vet({ action, commands, ground }: VettingCase, programs: Programs): CommandAction | undefined {
  const { lookup, places, ownHome } = programs;
  const { exact, plain } = commands;
  if (!lookup.areOwn(exact)) return undefined;
  const repository = { commands: exact, folder: action.folder, places, workspace: action.limits.workspace };
  if (!(ground === "looks" ? onlyLooks(repository) : inOwnRepository(repository))) return undefined;
  // What is more than plain commands is allowed only by a rule for the shell itself, which is one for everything.
  if (!plain || exact.every(([name = ""]) => builders.has(name))) return action;
  const { shell, script } = action;
  const path = lookup.ownPath;
  const own = { ...ownVariables(action.env, places), PATH: path };
  const env = ground === "looks" ? lookingVariables(own, places) : own;
  const quiet = basename(shell) === "zsh" ? "-fc" : "-c";
  const flags = ownHome ? (action.login ? "-lc" : "-c") : quiet;
  // A profile may make another PATH, also one that depends on the folder.
  return launchedAs(action, { argv: [shell, flags, `PATH=${quoteWord(path)}; ${script}`], env });
}

/** What the programs of a command are, for the record: each file, with its state where a model can change it. */
export function programMarks({ exact, plain, seen }: Commands, { lookup }: Programs): string[] {
  return [...(plain ? exact : []), ...seen].map(([name = ""]) => lookup.mark(name));
}

/** Says which programs of a command a model may have made; `null` where none. */
export function foreignPrograms({ exact, plain, seen }: Commands, { lookup }: Programs): string | null {
  const names = new Set([...(plain ? exact : []), ...seen].map(([name = ""]) => name));
  const found = [...names]
    .filter((name) => !name.includes("/"))
    .flatMap((name) => {
      const program = lookup.find(name);
      return program?.open ? [`\`${name}\` is ${program.file}`] : [];
    });
  return found.length === 0 ? null : `${found.join(", ")}, which commands in the sandbox can change`;
}
