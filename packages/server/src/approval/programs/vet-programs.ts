import { basename } from "node:path";
import type { SandboxOptions } from "../../run/sandbox/sandbox-options.ts";
import { quoteWord } from "../../shell/quote.ts";
import { homesOf } from "../../workspace-files/homes.ts";
import { type CommandAction, isConfined, launchedAs } from "../action.ts";
import type { Commands } from "../commands.ts";
import type { Ground } from "../judge-command.ts";
import { onlyLooks, ownRepository } from "./judge-repository.ts";
import { loginPath } from "./login-path.ts";
import { ProgramLookup } from "./program-lookup.ts";
import { readOnlyVariables, safeVariables } from "./safe-variables.ts";
import { mayShowHidden } from "./shows-hidden.ts";
import { WritablePlaces } from "./writable-places.ts";

/** Programs that run what files of the work say, with whatever programs those name: a rule for them is one for the work. */
const builders = new Set("bmake gmake just make ninja task".split(" "));

/** What is known of the programs of a command. */
export interface Programs {
  /** Where the script finds programs. */
  readonly lookup: ProgramLookup;
  /** Where the profile does. */
  readonly given: ProgramLookup;
  readonly places: WritablePlaces;
  /** Whether the home is the user's alone. Otherwise no shell reads its profile: a model may have written what that reads. */
  readonly ownHome: boolean;
  /** The homes of servers, with keys and tokens. */
  readonly homes: () => readonly string[];
}

/** A command that would run unasked. */
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
 * A command as it is run unasked: with exactly the programs that were looked up. `undefined` where one of them, or what git
 * would read as its settings, may be the work of a model.
 */
export function vet({ action, commands, ground }: VettingCase, programs: Programs): CommandAction | undefined {
  const { lookup, places, ownHome, homes } = programs;
  const { exact, plain } = commands;
  if (places.has(action.shell) || !lookup.areOwn(exact)) return undefined;
  const repository = { commands: exact, folder: action.folder, places, workspace: action.limits.workspace };
  const git = ground === "looks" ? (onlyLooks(repository) ? {} : undefined) : ownRepository(repository);
  if (git === undefined) return undefined;
  if (ground === "looks" && !isConfined(action.limits)) {
    if (mayShowHidden({ commands: exact, folder: action.folder, homes: homes() })) return undefined;
  }
  // What is more than plain commands is allowed only by a rule for the shell itself, which is one for everything.
  if (!plain || exact.every(([name = ""]) => builders.has(name))) return action;
  const { shell, script } = action;
  const path = lookup.ownPath;
  const own = { ...safeVariables(action.env, places), ...git, PATH: path };
  const env = ground === "looks" ? readOnlyVariables(own, places) : own;
  // A profile may make another PATH, also one that depends on the folder.
  const argv = [shell, flags(action, ownHome), `PATH=${quoteWord(path)}; ${script}`];
  return launchedAs(action, { launch: { argv, env } });
}

/** The flags of the shell: with the profile where it is wanted and the user's alone. */
function flags({ shell, login }: CommandAction, ownHome: boolean): string {
  if (ownHome) return login ? "-lc" : "-c";
  return basename(shell) === "zsh" ? "-fc" : "-c";
}

/**
 * The record of a command that somebody is asked about, with its programs: each file, with its state where a model can change
 * it. Programs that none can change are found where they are now, whatever comes before them on PATH meanwhile.
 */
export function withPrograms(action: CommandAction, commands: Commands, programs: Programs): CommandAction {
  const { lookup, given, ownHome } = programs;
  const { shell, script } = action;
  const names = namesIn(commands);
  const found = lookup.hasOpen ? names.flatMap((name) => pinned(shell, name, lookup)).join("") : "";
  // The profile runs programs as well, which nobody was asked about: it finds the user's. What it makes of PATH is known.
  const hides = given.hasOpen && lookup !== given;
  const env = hides ? { ...action.env, PATH: given.ownPath } : action.env;
  const restored = hides && lookup.path !== "." ? `PATH=${quoteWord(lookup.path)}; ` : "";
  const argv = [shell, flags(action, ownHome), `${restored}${found}${script}`];
  return launchedAs(action, { programs: names.map((name) => lookup.mark(name)), launch: { argv, env } });
}

/** Tells a shell where a program is. Only some shells can be told. */
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

/** Says which programs of a command a model may have made; `null` where none. */
export function foreignPrograms(commands: Commands, { lookup }: Programs): string | null {
  const found = namesIn(commands)
    .filter((name) => !name.includes("/"))
    .flatMap((name) => {
      const program = lookup.find(name);
      return program?.open ? [`\`${name}\` is ${program.file}`] : [];
    });
  return found.length === 0 ? null : `${found.join(", ")}, which commands in the sandbox can change`;
}
