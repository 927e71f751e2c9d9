import { isInRepository } from "../exec/in-repository.ts";
import type { Link } from "../exec/link.ts";

/**
 * `--trust`: trusts the project around a folder, as `quire trust --yes` does. Outside a repository there is none, and one that
 * the user has marked untrusted stays so.
 */
export async function trustThisProject({ connection }: Link, cwd: string): Promise<void> {
  if (!isInRepository(cwd)) return;
  const { previewTrust, resolveHome, trustProject } = await import("@quire/server/startup");
  const home = resolveHome(process.env);
  const preview = await previewTrust(home, cwd);
  const { config } = await connection.request("config/read", { cwd, includeLayers: false });
  const projects = (config.projects ?? {}) as Record<string, { trust_level?: string } | undefined>;
  if (projects[preview.project]?.trust_level === "untrusted")
    process.stderr.write(`--trust changes nothing: ${preview.project} is untrusted. To trust it: quire trust\n`);
  else trustProject(home, preview);
}
