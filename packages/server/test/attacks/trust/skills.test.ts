/** Attacks: skills that a model or a repository wrote. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { attack } from "@quire/testkit/attack";
import { promptSource } from "../../../src/prompt/index.ts";
import { contextIn } from "../../prompt/support.ts";
import { key, naive, type Plant, scene, told } from "../support/scene.ts";
import type { World } from "../support/world.ts";

/** Whether a key gets into what is told of skills, or their content, when one is named. */
function teaches(plant: Plant, name = "SKILL.md") {
  return async (guarded: boolean) => {
    await using place = await scene();
    const skill = `---\nname: evil\ndescription: ${key}\n---\n${key}`;
    for (const folder of [place.outside, place.home]) writeFileSync(join(folder, "SKILL.md"), skill);
    mkdirSync(join(place.workspace, ".agents"), { recursive: true });
    plant(place);
    if (!guarded) return naive(join(place.workspace, ".agents", "skills", "evil", name)).includes(key);
    return told(place, true).includes(key);
  };
}

const inSkills = ({ workspace }: World, ...names: string[]) => {
  const path = join(workspace, ".agents", "skills", ...names);
  mkdirSync(dirname(path), { recursive: true });
  return path;
};

attack(
  "describes a skill by a link out of the repository",
  teaches((place) => symlinkSync(join(place.outside, "SKILL.md"), inSkills(place, "evil", "SKILL.md"))),
);
attack(
  "describes a skill by a link into the server's home",
  teaches((place) => symlinkSync(join(place.home, "SKILL.md"), inSkills(place, "evil", "SKILL.md"))),
);
attack(
  "links the folder of a skill out of the repository",
  teaches((place) => symlinkSync(place.outside, inSkills(place, "evil"))),
);
attack(
  "links the folder of all skills out of the repository",
  teaches((place) => {
    const elsewhere = join(place.base, "skills");
    mkdirSync(elsewhere);
    renameSync(place.outside, join(elsewhere, "evil"));
    symlinkSync(elsewhere, inSkills(place));
  }),
);
attack(
  "links .agents out of the repository",
  teaches((place) => {
    const elsewhere = join(place.base, "agents");
    mkdirSync(join(elsewhere, "skills"), { recursive: true });
    renameSync(place.outside, join(elsewhere, "skills", "evil"));
    rmSync(join(place.workspace, ".agents"), { recursive: true });
    symlinkSync(elsewhere, join(place.workspace, ".agents"));
  }),
);

/** Whether a file attached as a skill, or named for an agent, is handed to the model. */
function attaches(target: (place: World) => string) {
  return async (guarded: boolean) => {
    await using place = await scene();
    const path = target(place);
    if (!guarded) return naive(path).includes(key);
    const settings = contextIn(place.workspace).settings;
    const input = [{ type: "skill" as const, path, name: "x" }];
    return JSON.stringify(await promptSource(place.home).userMessages(input, settings)).includes(key);
  };
}

attack(
  "names auth.json as a skill for its agent",
  attaches(({ home }) => join(home, "auth.json")),
);
attack(
  "names the server's history as a skill for its agent",
  attaches(({ home }) => join(home, "history.jsonl")),
);
attack(
  "names a key as a skill by way of ..",
  attaches(({ workspace }) => `${workspace}/../home/auth.json`),
);
attack(
  "names a link in the workspace as a skill",
  attaches((place) => {
    const path = join(place.workspace, "SKILL.md");
    symlinkSync(join(place.outside, "private"), path);
    return path;
  }),
);
