import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { runCommand } from "./run-command.ts";

/** Whether the tests find a browser: `CHROMIUM`, or one of these names on PATH. */
export async function chromiumIsThere(): Promise<boolean> {
  if (process.env.CHROMIUM !== undefined) return existsSync(process.env.CHROMIUM);
  const folders = (process.env.PATH ?? "").split(delimiter);
  return ["chromium", "chromium-browser", "google-chrome"].some((name) =>
    folders.some((folder) => existsSync(join(folder, name))),
  );
}

/** Installs Debian's Chromium. Throws the remedy where that cannot be done from here. */
export async function installChromium(): Promise<void> {
  const remedy = "Install Chromium (Debian: apt-get install chromium), or set CHROMIUM to the path of one";
  if (process.getuid?.() !== 0) throw new Error(`${remedy}. It needs root, so it is not done here.`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const install = () => runCommand("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], { env });
  const first = await install();
  if (first.code === 0) return;
  // A fresh container has no package lists.
  const updated = await runCommand("apt-get", ["update"], { env });
  const second = updated.code === 0 ? await install() : updated;
  if (second.code !== 0) throw new Error(`${remedy}. apt-get failed:\n${second.output.slice(-2000)}`);
}
