import { basename } from "node:path";
import { quoteWord } from "@quire/protocol/shell";
import type { SandboxOptions } from "../../run/sandbox/sandbox-options.ts";
import { homesOf } from "../../workspace-files/homes.ts";
import { type CommandAction, isConfined, launchedAs } from "../action.ts";
import type { Commands } from "../commands.ts";
import type { Ground } from "../judge-command.ts";
import { ownRepository, runsNothing } from "./judge-repository.ts";
import { loginPath } from "./login-path.ts";
import { ProgramLookup } from "./program-lookup.ts";
import { readOnlyVariables, safeVariables } from "./safe-variables.ts";
import { mayShowHidden } from "./shows-hidden.ts";
import { WritablePlaces } from "./writable-places.ts";

/** Programs that run what files of the work say: a rule for them is one for the work. */
const builders = new Set("bmake gmake just make ninja task".split(" "));

/** The programs of a command. */
export interface Programs {
  /** For the script. */
  readonly lookup: ProgramLookup;
  /** For the profile. */
  readonly given: ProgramLookup;
  readonly places: WritablePlaces;
  /** True when only the user controls the home. Otherwise no shell reads its profile. */
  readonly ownHome: boolean;
  /** The homes of servers, with keys and tokens. */
  readonly homes: () => readonly string[];
}

interface VettingCase {
  readonly action: CommandAction;
  readonly commands: Commands;
  readonly ground: Ground;
}

/** Looks up the programs of a command on this machine, on the PATH that its shell has. */
export async function programsOf(action: CommandAction, options: SandboxOptions): Promise<Programs> {
  const places = new WritablePlaces(action.limits, options.env);
  const home = action.env.HOME;
  const ownHome = home !== undefined && !places.has(home);
  const onPath = (path: string | undefined) => new ProgramLookup(path, action.folder, places);
  const given = onPath(action.env.PATH);
  const homes = () => homesOf(options).map((each) => each.path);
  if (!action.login || !ownHome) return { lookup: given, given, places, ownHome, homes };
  const { isOpen } = given;
  const path = await loginPath({ shell: action.shell, env: safeVariables(action.env, places), isOpen });
  // A shell that does not say where it looks may look anywhere.
  return { lookup: onPath(path ?? "."), given, places, ownHome, homes };
}

/**
 * The command as it runs unasked, with pinned programs. `undefined` when a model may have written one, or git's
 * settings.
 */
export function vet({ action, commands, ground }: VettingCase, programs: Programs): CommandAction | undefined {
  const { lookup, places, ownHome, homes } = programs;
  const { exact, plain } = commands;
  if (places.has(action.shell) || !lookup.areOwn(exact)) return undefined;
  const repository = { commands: exact, folder: action.folder, places, workspace: action.limits.workspace };
  const git = ground === "looks" ? (runsNothing(repository) ? {} : undefined) : ownRepository(repository);
  if (git === undefined) return undefined;
  if (ground === "looks" && !isConfined(action.limits)) {
    if (mayShowHidden({ commands: exact, folder: action.folder, homes: homes() })) return undefined;
  }
  // Only a rule for the shell itself, which allows everything, allows more than plain commands.
  if (!plain || exact.every(([name = ""]) => builders.has(name))) return action;
  const { shell, script } = action;
  const path = lookup.ownPath;
  const own = { ...safeVariables(action.env, places), ...git, PATH: path };
  const env = ground === "looks" ? readOnlyVariables(own, places) : own;
  // A profile may make another PATH, also one that depends on the folder.
  const argv = [shell, flags(action, ownHome), `PATH=${quoteWord(path)}; ${script}`];
  return launchedAs(action, { launch: { argv, env } });
}

/** The shell's flags: with the profile if it is wanted and only the user controls it. */
function flags({ shell, login }: CommandAction, ownHome: boolean): string {
  if (ownHome) return login ? "-lc" : "-c";
  return basename(shell) === "zsh" ? "-fc" : "-c";
}

/**
 * A command for a question, with its programs: each file, with its state if a model can change it. Other programs are
 * pinned to where they are now, whatever precedes them on PATH later.
 */
export function withPrograms(action: CommandAction, commands: Commands, programs: Programs): CommandAction {
  const { lookup, given, ownHome } = programs;
  const { shell, script } = action;
  const names = namesIn(commands);
  const found = lookup.hasOpen ? names.flatMap((name) => pinned(shell, name, lookup)).join("") : "";
  // The profile runs programs too, which nobody was asked about: it finds the user's. Its effect on PATH is known.
  const hides = given.hasOpen && lookup !== given;
  const env = hides ? { ...action.env, PATH: given.ownPath } : action.env;
  const restored = hides && lookup.path !== "." ? `PATH=${quoteWord(lookup.path)}; ` : "";
  const argv = [shell, flags(action, ownHome), `${restored}${found}${script}`];
  return launchedAs(action, { programs: names.map((name) => lookup.mark(name)), launch: { argv, env } });
}

function pinned(shell: string, name: string, lookup: ProgramLookup): string[] {
  const found = name.includes("/") ? undefined : lookup.find(name);
  if (found === undefined || found.open || !found.file.includes("/")) return [];
  const [file, word] = [found.file, name].map(quoteWord);
  if (basename(shell) === "bash") return [`hash -p ${file} ${word}; `];
  return basename(shell) === "zsh" ? [`hash ${word}=${file}; `] : [];
}

function namesIn({ exact, plain, seen }: Commands): string[] {
  return [...new Set([...(plain ? exact : []), ...seen].map(([name = ""]) => name))];
}

/** The programs of a command that a model may have made, as a sentence; `null` when there are none. */
export function foreignPrograms(commands: Commands, { lookup }: Programs): string | null {
  const found = namesIn(commands)
    .filter((name) => !name.includes("/"))
    .flatMap((name) => {
      const program = lookup.find(name);
      return program?.open ? [`\`${name}\` is ${program.file}`] : [];
    });
  return found.length === 0 ? null : `${found.join(", ")}, which commands in the sandbox can change`;
}
