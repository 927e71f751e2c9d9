import process from "node:process";
import { runCommand } from "./run-command.ts";

/** Installs a Debian package. Throws the remedy where that cannot be done from here. */
export async function aptInstall(name: string, remedy: string): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error(`${remedy}. It needs root, so it is not done here.`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const install = () => runCommand("apt-get", ["install", "-y", "--no-install-recommends", name], { env });
  const first = await install();
  if (first.code === 0) return;
  // A fresh container has no package lists.
  const updated = await runCommand("apt-get", ["update"], { env });
  const second = updated.code === 0 ? await install() : updated;
  if (second.code !== 0) throw new Error(`${remedy}. apt-get failed:\n${second.output.slice(-2000)}`);
}
