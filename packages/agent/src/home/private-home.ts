import { copyFile, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { checkSkill, type Skill, SkillError } from "../prompt/skill.ts";
import { fullMount } from "../workspace/host-mount.ts";
import { copyMounts } from "../workspace/materialize.ts";
import { type Environment, hermeticEnv } from "./hermetic-env.ts";

/** Options of {@link createPrivateHome}. */
export interface PrivateHomeOptions {
  readonly skills?: readonly Skill[] | undefined;
  /** The environment that the server would have without it. Its `CODEX_HOME` is respected. */
  readonly env: Environment;
  /** Gives the server only credentials, the variables it needs, and a `CODEX_HOME` of its own. */
  readonly hermetic?: boolean | undefined;
  /** Checks the front matter of skills. Default true. */
  readonly validateSkills?: boolean | undefined;
}

/** A temporary home folder for a server. The caller disposes of it. */
export interface PrivateHome extends AsyncDisposable {
  readonly dir: string;
  /** The server's environment. */
  readonly env: Environment;
}

const mostSkillBytes = 10 * 1024 * 1024;
const mostFileSkillBytes = 1024 * 1024;
/** The files that a hermetic home copies: the login, and the configuration. */
const credentials = ["auth.json", "config.toml"];

/** Makes a home with the skills in it. Where that fails, nothing is left of it. */
export async function createPrivateHome(options: PrivateHomeOptions): Promise<PrivateHome> {
  const dir = await mkdtemp(join(await realpath(tmpdir()), "quire-home-"));
  const made = [dir];
  const remove = async () => {
    for (const folder of made) await rm(folder, { recursive: true, force: true });
  };
  try {
    await mountSkills(dir, options.skills ?? [], options.validateSkills ?? true);
    const codexHome = codexHomeOf(options.env);
    const own = options.hermetic ? await copyCredentials(codexHome) : undefined;
    if (own !== undefined) made.push(own);
    return { dir, env: homeEnv(dir, own ?? codexHome, options), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function mountSkills(dir: string, skills: readonly Skill[], validate: boolean): Promise<void> {
  const seen = new Set<string>();
  for (const skill of skills) {
    if (seen.has(skill.name)) throw new SkillError(`Two skills are called ${skill.name}`);
    seen.add(skill.name);
    const isFolder = await checkSkill(skill, { validate });
    const folder = `.agents/skills/${skill.name}`;
    const mount = fullMount({
      hostPath: skill.source,
      mountPath: isFolder ? folder : `${folder}/SKILL.md`,
      maxBytes: isFolder ? mostSkillBytes : mostFileSkillBytes,
    });
    await copyMounts(dir, { mounts: [mount], roots: [], maxTotalBytes: null, onFile: undefined });
  }
}

function codexHomeOf({ CODEX_HOME, HOME, USERPROFILE }: Environment): string {
  return CODEX_HOME || join(HOME ?? USERPROFILE ?? homedir(), ".codex");
}

/** Not in the folder for temporary files: commands of every agent read and write there, and see no home of a Codex. */
async function copyCredentials(codexHome: string): Promise<string> {
  const parent = join(codexHome, ".tmp");
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const own = await mkdtemp(join(parent, "hermetic-"));
  try {
    for (const name of credentials) await copyFile(join(codexHome, name), join(own, name)).catch(ignoreMissing);
    return own;
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    throw error;
  }
}

/** Keeps the login in a home with skills. */
function homeEnv(dir: string, codexHome: string, { env, hermetic }: PrivateHomeOptions): Environment {
  const home = { HOME: dir, ...(env.USERPROFILE !== undefined && { USERPROFILE: dir }), CODEX_HOME: codexHome };
  return { ...(hermetic ? hermeticEnv(env) : env), ...home };
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
