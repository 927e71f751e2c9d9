import type { ConfigRequest } from "../effective-config.ts";
import type { Project } from "../project.ts";
import { type ConfiguredProgram, changedScriptsMessage, programWords } from "./program-words.ts";
import type { ProjectTrust } from "./project-trust.ts";

interface ProgramStart extends ConfigRequest {
  readonly program: ConfiguredProgram;
  readonly startsIn: string;
}

interface ProgramJudge {
  projectOf(request: ConfigRequest): Project;
  readonly trust: ProjectTrust;
}

/** The reason why a program must not be started: files of a trusted project that it names have changed. */
export function refusalOf(config: ProgramJudge, { program, startsIn, ...request }: ProgramStart): string | undefined {
  const project = config.projectOf(request);
  const changed = config.trust.changedScripts({ project, cwd: startsIn, words: programWords(program) });
  return changed.length === 0 ? undefined : changedScriptsMessage(changed);
}
