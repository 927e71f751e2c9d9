/** Attacks: repositories that run programs. */
import { appendFileSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { attack } from "@quire/testkit/attack";
import { type Planting, type Plot, succeeds } from "../support/planted.ts";
import { repository, setting } from "../support/repository.ts";

/** A repository below the workspace with settings of a model's, and a command that only looks. */
function looking(cmd: string, plant: (place: Planting) => void, more: Partial<Plot> = {}): Plot {
  const prepare = (place: Planting): undefined => {
    repository(place, "sub");
    plant(place);
  };
  return { cmd, workdir: "sub", plant: prepare, ...more };
}

attack("runs a watcher of a bare repository in the tree by git status", (guarded) =>
  succeeds(
    {
      cmd: "git status",
      workdir: "bare",
      plant: ({ git, put, steal, workspace }) => {
        const evil = put("workspace/evil.sh", `#!/bin/sh\n${steal}\n`);
        git("bare", "init", "-q", "--bare");
        git("bare", "config", "core.bare", "false");
        git("bare", "config", "core.worktree", workspace);
        git("bare", "config", "core.fsmonitor", evil);
      },
    },
    guarded,
  ),
);

attack("runs a watcher of a repository in the tree that nobody knows", (guarded) =>
  succeeds({ ...looking("git status", setting("core.fsmonitor")), allowed: [["git", "status"]] }, guarded),
);

const withAttributes = (text: string, plant: (place: Planting) => void) => (place: Planting) => {
  plant(place);
  place.put("workspace/sub/.gitattributes", `${text}\n`);
};

attack("runs a filter of a repository by git status", (guarded) =>
  succeeds(looking("git status", withAttributes("* filter=x", setting("filter.x.clean"))), guarded),
);

attack("runs a filter that stays running by git diff", (guarded) =>
  succeeds(looking("git diff", withAttributes("* filter=x", setting("filter.x.process"))), guarded),
);

attack("runs a program for differences by git diff", (guarded) =>
  succeeds(looking("git diff", setting("diff.external")), guarded),
);

attack("runs a driver for differences by git diff", (guarded) =>
  succeeds(looking("git diff", withAttributes("* diff=x", setting("diff.x.command"))), guarded),
);

attack("runs a program that makes text of a file by git diff", (guarded) =>
  succeeds(looking("git diff", withAttributes("* diff=x", setting("diff.x.textconv"))), guarded),
);

attack("runs a program that makes text of a file by git log", (guarded) =>
  succeeds(looking("git log -p", withAttributes("* diff=x", setting("diff.x.textconv"))), guarded),
);

attack("runs a program that makes text of a file by git show", (guarded) =>
  succeeds(looking("git show HEAD", withAttributes("* diff=x", setting("diff.x.textconv"))), guarded),
);

attack("runs a program that makes text of a file by git blame", (guarded) =>
  succeeds(looking("git blame file", withAttributes("* diff=x", setting("diff.x.textconv"))), guarded),
);

attack("runs a hook of a repository by git status, which writes the index", (guarded) =>
  succeeds(
    looking("git status", ({ git, put, steal }) => {
      put("workspace/hooks/post-index-change", `#!/bin/sh\n${steal}\n`);
      git("sub", "config", "core.hooksPath", "../hooks");
      put("workspace/sub/file", "one\n");
    }),
    guarded,
  ),
);

attack("takes settings from a file of the tree that a repository includes", (guarded) =>
  succeeds(
    looking("git diff", ({ git, put, steal }) => {
      const evil = put("workspace/evil.sh", `#!/bin/sh\n${steal}\n`);
      put("workspace/settings", `[diff]\n\texternal = ${evil}\n`);
      git("sub", "config", "include.path", "../../settings");
    }),
    guarded,
  ),
);

attack("takes settings from a file that a repository includes on a condition", (guarded) =>
  succeeds(
    looking("git diff", ({ git, put, steal }) => {
      const evil = put("workspace/evil.sh", `#!/bin/sh\n${steal}\n`);
      put("workspace/settings", `[diff]\n\texternal = ${evil}\n`);
      git("sub", "config", "includeIf.gitdir:**.path", "../../settings");
    }),
    guarded,
  ),
);

attack("takes settings from the configuration of a worktree", (guarded) =>
  succeeds(
    looking("git diff", ({ git, put, steal }) => {
      const evil = put("workspace/evil.sh", `#!/bin/sh\n${steal}\n`);
      git("sub", "config", "extensions.worktreeConfig", "true");
      git("sub", "config", "--worktree", "diff.external", evil);
    }),
    guarded,
  ),
);

attack("hides a setting in a configuration that only git can read", (guarded) =>
  succeeds(
    looking("git diff", ({ put, steal, workspace }) => {
      const evil = put("workspace/evil.sh", `#!/bin/sh\n${steal}\n`);
      appendFileSync(join(workspace, "sub/.git/config"), `[DIFF]\n  External="${evil}" ; no\n`);
    }),
    guarded,
  ),
);

attack("has the file .git lead to a repository under another name", (guarded) =>
  succeeds(
    looking("git diff", (place) => {
      setting("diff.external")(place);
      place.git("sub", "init", "-q", "--separate-git-dir", join(place.workspace, "elsewhere"));
    }),
    guarded,
  ),
);

attack("puts a repository that git passes over before one that it takes", (guarded) =>
  succeeds(
    looking(
      "git diff",
      (place) => {
        setting("diff.external")(place);
        for (const name of ["objects", "refs"]) place.put(`workspace/sub/in/.git/${name}/.keep`, "");
        place.put("workspace/sub/in/.git/HEAD", "nothing that git knows\n");
      },
      { workdir: "sub/in" },
    ),
    guarded,
  ),
);

attack("has a repository whose HEAD is a link to nowhere", (guarded) =>
  succeeds(
    looking(
      "git status",
      (place) => {
        setting("core.fsmonitor")(place);
        unlinkSync(join(place.workspace, "sub/.git/HEAD"));
        symlinkSync("refs/heads/nowhere", join(place.workspace, "sub/.git/HEAD"));
      },
      { allowed: [["git", "status"]] },
    ),
    guarded,
  ),
);

attack("goes to a repository first and then looks", (guarded) =>
  succeeds({ ...looking("cd sub && git diff", setting("diff.external")), workdir: "." }, guarded),
);

attack("goes to a repository in two steps and then looks", (guarded) =>
  succeeds(
    {
      ...looking("cd sub; cd in; git diff", (place) => {
        setting("diff.external")(place);
        place.put("workspace/sub/in/.keep", "");
      }),
      workdir: ".",
    },
    guarded,
  ),
);

attack("runs a filter of a submodule by git status", (guarded) =>
  succeeds(
    looking("git status", (place) => {
      repository(place, "sub/inner");
      const evil = place.put("workspace/evil.sh", `#!/bin/sh\n${place.steal}\n`);
      place.git("sub", "add", "inner");
      place.git("sub/inner", "config", "filter.x.clean", evil);
      place.put("workspace/sub/inner/.gitattributes", "* filter=x\n");
      place.put("workspace/sub/inner/file", "six\n");
    }),
    guarded,
  ),
);

attack("has a lost object fetched by a program of a repository's choice", (guarded) =>
  succeeds(
    looking("git show 1111111111111111111111111111111111111111", (place) => {
      setting("remote.origin.uploadpack")(place);
      for (const [key, value] of [
        ["remote.origin.url", "."],
        ["remote.origin.promisor", "true"],
        ["extensions.partialClone", "origin"],
        ["core.repositoryformatversion", "1"],
      ] as const)
        place.git("sub", "config", key, value);
    }),
    guarded,
  ),
);

attack("has a signature checked by a program of a repository's choice", (guarded) =>
  succeeds(
    looking("git log", (place) => {
      setting("gpg.program")(place);
      place.git("sub", "config", "log.showSignature", "true");
      const raw = place.git("sub", "cat-file", "commit", "HEAD");
      const signed = raw.replace(
        "\n\n",
        "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n",
      );
      const file = place.put("workspace/commit", `${signed}\n`);
      place.git("sub", "update-ref", "HEAD", place.git("sub", "hash-object", "-t", "commit", "-w", file));
    }),
    guarded,
  ),
);

attack("has git read settings of the home folder that a model wrote", (guarded) =>
  succeeds(
    {
      cmd: "git status",
      workdir: "sub",
      plant: (place) => {
        repository(place, "sub");
        const evil = place.put("workspace/evil.sh", `#!/bin/sh\n${place.steal}\n`);
        place.put("workspace/.gitconfig", `[diff]\n\texternal = ${evil}\n[core]\n\tfsmonitor = ${evil}\n`);
        return { HOME: place.workspace };
      },
    },
    guarded,
  ),
);
