/** Attacks: repositories that run programs. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { attack } from "@quire/testkit/attack";
import { commandAction } from "../../../src/approval/action.ts";
import { commandsOf } from "../../../src/approval/commands.ts";
import { programsOf, vet } from "../../../src/approval/programs/vet-programs.ts";
import { workspaceWrite } from "../support/attempt.ts";
import { gitIn, put, succeeds } from "../support/planted.ts";
import { repository, setting } from "../support/repository.ts";
import { world } from "../support/world.ts";

attack("has an allowed git commit run hooks of the tree", (guarded) =>
  succeeds(
    {
      cmd: "git commit -m two",
      allowed: [["git", "commit"]],
      plant: (place) => {
        repository(place, ".");
        place.git(".", "config", "core.hooksPath", ".husky");
        place.git(".", "config", "user.name", "a");
        place.git(".", "config", "user.email", "a@b.c");
        place.git(".", "add", "file");
        place.put("workspace/.husky/pre-commit", `#!/bin/sh\n${place.steal}\n`);
      },
    },
    guarded,
  ),
);

attack("has an allowed program run git in a repository that was made in the tree", (guarded) =>
  succeeds(
    {
      cmd: "gh pr list",
      workdir: "sub",
      allowed: [["gh", "pr"]],
      plant: (place) => {
        repository(place, "sub");
        setting("core.fsmonitor")(place);
        place.put("user/bin/gh", "#!/bin/sh\ngit status > /dev/null\n");
        return { PATH: `${place.base}/user/bin:/usr/bin:/bin` };
      },
    },
    guarded,
  ),
);

attack("puts a repository in between while an allowed git starts", async (guarded) => {
  await using place = await world();
  const planting = { ...place, steal: `: > ${place.outside}/stolen`, put: put(place), git: gitIn(place) };
  repository(planting, ".");
  planting.put("workspace/sub/.keep", "");
  const env = { PATH: "/usr/bin:/bin", HOME: join(place.base, "user") };
  const action = commandAction({
    callId: "call",
    shell: "/bin/bash",
    script: "git status",
    login: false,
    cwd: join(place.workspace, "sub"),
    tty: false,
    env,
    place: null,
    escalation: "nothing",
    limits: { policy: workspaceWrite(), workspace: [place.workspace] },
    justification: null,
  });
  const commands = commandsOf(action.script, action.argv);
  const programs = await programsOf(action, { home: place.home, env });
  const vetted = guarded ? vet({ action, commands, ground: "rule" }, programs) : action;
  if (vetted === undefined) throw new Error("it is not even started");
  repository(planting, "sub");
  setting("core.fsmonitor")(planting);
  const { argv, env: variables } = vetted.launch;
  Bun.spawnSync([...argv], { cwd: action.folder, env: { ...variables } });
  return existsSync(join(place.outside, "stolen"));
});

attack("has a file .git lead an allowed git to another repository of the user's", (guarded) =>
  succeeds(
    {
      cmd: "git update-ref refs/heads/stolen HEAD && touch ../../outside/stolen",
      workdir: "sub",
      allowed: [["git", "update-ref"], ["touch"]],
      plant: (place) => {
        place.put("user/other/.keep", "");
        repository(
          {
            ...place,
            git: gitIn({ ...place, workspace: join(place.base, "user") }),
            put: (name, text) => place.put(name.replace("workspace/", "user/"), text),
          },
          "other",
        );
        place.put("workspace/sub/.git", `gitdir: ${place.base}/user/other/.git\n`);
        return undefined;
      },
    },
    guarded,
  ),
);
