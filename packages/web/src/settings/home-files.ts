import type { Actions } from "../state/actions.ts";
import { formWords } from "../words/words.ts";

/** A file of a server as text. */
export async function readText(actions: Actions, hub: string, path: string): Promise<string> {
  const { dataBase64 } = await actions.request(hub, "fs/readFile", { path });
  return new TextDecoder().decode(Uint8Array.from(atob(dataBase64), (letter) => letter.charCodeAt(0)));
}

/** Writes a file of a server. */
export async function writeText(
  actions: Actions,
  file: { readonly hub: string; readonly path: string },
  text: string,
): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  await actions.request(file.hub, "fs/writeFile", { path: file.path, dataBase64: btoa(binary) });
}

/** Path of the user's configuration on a server. */
export async function configPath(actions: Actions, hub: string): Promise<string> {
  const { layers } = await actions.request(hub, "config/read", { includeLayers: true });
  for (const { name } of layers ?? []) if (name.type === "user") return name.file;
  throw new Error(formWords.serverDoesNotSayWhere);
}

/** True for an error that says that a file is not there. */
export const isMissing = (error: unknown): boolean => /no such file|not found|ENOENT/i.test(String(error));
