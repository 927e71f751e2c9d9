import { isInRepository } from "../exec/in-repository.ts";

/** `--trust`: trusts the project around a folder, as `quire trust --yes` does. Outside a repository there is none. */
export async function trustThisProject(cwd: string): Promise<void> {
  if (!isInRepository(cwd)) return;
  const { previewTrust, resolveHome, trustProject } = await import("@quire/server/startup");
  const home = resolveHome(process.env);
  trustProject(home, await previewTrust(home, cwd));
}
