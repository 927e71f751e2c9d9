import type { ConfigRequest } from "../effective-config.ts";
import type { Project } from "../project.ts";
import { type ConfiguredProgram, changedScriptsMessage, programWords } from "./program-words.ts";
import type { ProjectTrust } from "./project-trust.ts";

/** A program that the configuration of a folder has the server start. */
interface ProgramStart extends ConfigRequest {
  readonly program: ConfiguredProgram;
  readonly startsIn: string;
}

/** What of the configuration tells whether a program may be started. */
interface ProgramJudge {
  projectOf(request: ConfigRequest): Project;
  readonly trust: ProjectTrust;
}

/** Why a program must not be started: files of a trusted project that it names are not what the user trusted. */
export function refusalOf(config: ProgramJudge, { program, startsIn, ...request }: ProgramStart): string | undefined {
  const project = config.projectOf(request);
  const changed = config.trust.changedScripts({ project, cwd: startsIn, words: programWords(program) });
  return changed.length === 0 ? undefined : changedScriptsMessage(changed);
}
