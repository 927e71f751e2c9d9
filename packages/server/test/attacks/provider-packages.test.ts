/** Attacks: packages that speak to models. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { attack } from "@quire/testkit/attack";
import { packageModel } from "../../src/model/ai-sdk/package-model.ts";
import { type World, world } from "./support/world.ts";

const settings = { apiKey: "secret", baseURL: undefined, name: "x", fetch };

/** Names of the planted packages that were loaded. */
const loaded = new Set<string>();
Object.assign(globalThis, { noteLoaded: (name: string) => void loaded.add(name) });

/** Whether a planted package is loaded, as it is looked for, or as the runtime finds packages. */
async function loads(place: World, { guarded, home }: { guarded: boolean; home: string }): Promise<boolean> {
  const name = `planted-${crypto.randomUUID()}`;
  const at = join(place.workspace, "node_modules", name);
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, "package.json"), JSON.stringify({ name, type: "module", exports: "./index.js" }));
  writeFileSync(join(at, "index.js"), `globalThis.noteLoaded(${JSON.stringify(name)}); export {};`);
  if (guarded) await packageModel({ package: name, home }, "m", settings).catch(() => undefined);
  else await import(pathToFileURL(Bun.resolveSync(name, home)).href);
  return loaded.has(name);
}

attack("is loaded as a provider's package from a folder above a home in the workspace", async (guarded) => {
  await using place = await world();
  const home = join(place.workspace, "home");
  mkdirSync(home);
  return loads(place, { guarded, home });
});

attack("is loaded as a provider's package, the home being without it, from the home folder", async (guarded) => {
  await using place = await world();
  const home = join(place.workspace, ".quire");
  mkdirSync(join(home, "node_modules"), { recursive: true });
  return loads(place, { guarded, home });
});
