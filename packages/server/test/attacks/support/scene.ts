import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promptSource } from "../../../src/prompt/index.ts";
import { contextIn } from "../../prompt/support.ts";
import { type World, world } from "./world.ts";

/** What nobody may read. */
export const key = "sk-the-secret-of-the-server";

/** A world whose home holds a key and whose workspace is a repository. */
export async function scene(): Promise<World> {
  const place = await world();
  for (const name of ["auth.json", ".credentials.json", ".gateway-credentials.json", "history.jsonl"])
    writeFileSync(join(place.home, name), key);
  writeFileSync(join(place.outside, "private"), key);
  mkdirSync(join(place.workspace, ".git"));
  return place;
}

/** What a server did that opens whatever a path leads to. */
export function naive(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** All that a model is told of a workspace, by the server or by one that follows every path. */
export function told({ home, workspace }: World, guarded: boolean, name = "AGENTS.md"): string {
  if (!guarded) return naive(join(workspace, name));
  return JSON.stringify(promptSource(home).preamble(contextIn(workspace)).sections);
}

/** Puts something into a world. */
export type Plant = (place: World) => void;

/** Puts a link into the workspace. */
export const link = (target: (place: World) => string, name = "AGENTS.md"): Plant => {
  return (place) => symlinkSync(target(place), join(place.workspace, name));
};
