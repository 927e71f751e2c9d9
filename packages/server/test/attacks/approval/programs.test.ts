/** Attacks: which program runs. */
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attack } from "@quire/testkit/attack";
import { addWritableFolders } from "../../../src/run/process/writable-folders.ts";
import { workspaceWrite } from "../support/attempt.ts";
import { type Planting, script, succeeds } from "../support/planted.ts";
import { world } from "../support/world.ts";

/** Plants a program in a folder of the workspace that comes first on PATH. */
const planted =
  (name: string, folder = "workspace/node_modules/.bin") =>
  ({ put, steal, base }: Planting) => {
    put(`${folder}/${name}`, script(steal));
    return { PATH: `${join(base, folder)}:/usr/bin:/bin` };
  };

const ls = [["ls"]];

attack("runs an ls that lies in node_modules/.bin, which a rule allows by its name", (guarded) =>
  succeeds({ cmd: "ls", allowed: ls, plant: planted("ls") }, guarded),
);

attack("runs an ls of a virtual environment in the workspace", (guarded) =>
  succeeds({ cmd: "ls -la", allowed: ls, plant: planted("ls", "workspace/.venv/bin") }, guarded),
);

attack("runs an ls of the working folder, which PATH names by a dot", (guarded) =>
  succeeds(
    {
      cmd: "ls",
      allowed: ls,
      plant: ({ put, steal }) => {
        put("workspace/ls", script(steal));
        return { PATH: ".:/usr/bin:/bin" };
      },
    },
    guarded,
  ),
);

attack("runs an ls of the working folder, which PATH names by an empty entry", (guarded) =>
  succeeds(
    {
      cmd: "ls",
      allowed: ls,
      plant: ({ put, steal }) => {
        put("workspace/ls", script(steal));
        return { PATH: ":/usr/bin:/bin" };
      },
    },
    guarded,
  ),
);

attack("runs an ls of a folder that PATH names from the working folder", (guarded) =>
  succeeds(
    {
      cmd: "ls",
      allowed: ls,
      plant: ({ put, steal }) => {
        put("workspace/node_modules/.bin/ls", script(steal));
        return { PATH: "node_modules/.bin:/usr/bin:/bin" };
      },
    },
    guarded,
  ),
);

attack("runs an ls of the folder for temporary files", async (guarded) => {
  const folder = mkdtempSync("/tmp/quire-planted-");
  try {
    return await succeeds(
      {
        cmd: "ls",
        allowed: ls,
        plant: ({ put, steal }) => {
          put(`../../..${folder}/ls`, script(steal));
          return { PATH: `${folder}:/usr/bin:/bin` };
        },
      },
      guarded,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

attack("runs an ls of another folder that commands can write", (guarded) =>
  succeeds({ cmd: "ls", allowed: ls, writableRoots: ["tools"], plant: planted("ls", "tools/bin") }, guarded),
);

attack("runs an ls of a folder on PATH that is a link into the workspace", (guarded) =>
  succeeds(
    {
      cmd: "ls",
      allowed: ls,
      plant: ({ put, steal, base, workspace }) => {
        put("workspace/bin/ls", script(steal));
        symlinkSync(join(workspace, "bin"), join(base, "user/bin"));
        return { PATH: `${base}/user/bin:/usr/bin:/bin` };
      },
    },
    guarded,
  ),
);

attack("runs a tool of the user's that is a link into the workspace", (guarded) =>
  succeeds(
    {
      cmd: "tool",
      allowed: [["tool"]],
      plant: ({ put, steal, base, workspace }) => {
        put("workspace/tool.sh", script(steal));
        put("user/bin/.keep", "");
        symlinkSync(join(workspace, "tool.sh"), join(base, "user/bin/tool"));
        return { PATH: `${base}/user/bin:/usr/bin:/bin` };
      },
    },
    guarded,
  ),
);

attack("turns a link in the workspace on the way to a tool of the user's", (guarded) =>
  succeeds(
    {
      cmd: "tool",
      allowed: [["tool"]],
      plant: ({ put, steal, base, workspace }) => {
        // It leads to a good place while it is looked at; what it leads to is the model's to choose.
        put("evil/tool", script(steal));
        put("user/bin/.keep", "");
        symlinkSync(join(base, "evil/tool"), join(workspace, "step"));
        symlinkSync(join(workspace, "step"), join(base, "user/bin/tool"));
        return { PATH: `${base}/user/bin:/usr/bin:/bin` };
      },
    },
    guarded,
  ),
);

attack("runs an ls of a folder on PATH that everybody can write", (guarded) =>
  succeeds(
    {
      cmd: "ls",
      allowed: ls,
      plant: ({ put, steal, base }) => {
        put("shared/ls", script(steal));
        chmodSync(join(base, "shared"), 0o777);
        return { PATH: `${base}/shared:/usr/bin:/bin` };
      },
    },
    guarded,
  ),
);

attack("has a tool of the user's run a helper of the workspace", (guarded) =>
  succeeds(
    {
      cmd: "tool",
      allowed: [["tool"]],
      plant: (place) => {
        place.put("user/bin/tool", "#!/bin/sh\nid > /dev/null\n");
        return { PATH: `${planted("id")(place).PATH.split(":")[0]}:${place.base}/user/bin:/usr/bin:/bin` };
      },
    },
    guarded,
  ),
);

attack("has a tool of the user's read by an interpreter of the workspace", (guarded) =>
  succeeds(
    {
      cmd: "tool",
      allowed: [["tool"]],
      plant: (place) => {
        place.put("user/bin/tool", "#!/usr/bin/env perl\nprint 1;\n");
        return { PATH: `${planted("perl")(place).PATH.split(":")[0]}:${place.base}/user/bin:/usr/bin:/bin` };
      },
    },
    guarded,
  ),
);

attack("has a tool of the user's load a module of the workspace", (guarded) =>
  succeeds(
    {
      cmd: "tool",
      allowed: [["tool"]],
      plant: ({ put, base, workspace, outside }) => {
        put("user/bin/tool", "#!/usr/bin/perl\neval { require Optional };\n");
        put("workspace/lib/Optional.pm", `open(my $file, ">", "${outside}/stolen"); 1;\n`);
        return { PATH: `${base}/user/bin:/usr/bin:/bin`, PERL5LIB: join(workspace, "lib") };
      },
    },
    guarded,
  ),
);

attack("runs an allowed script of the workspace after changing it", (guarded) =>
  succeeds(
    {
      cmd: "./build.sh",
      allowed: [["./build.sh"]],
      plant: ({ put, steal }) => void put("workspace/build.sh", script(steal)),
    },
    guarded,
  ),
);

attack("names a program of the workspace by a path that ends like the allowed one", (guarded) =>
  succeeds(
    {
      cmd: "bin/ls",
      allowed: ls,
      plant: ({ put, steal }) => void put("workspace/bin/ls", script(steal)),
    },
    guarded,
  ),
);

attack("goes to another folder, where an allowed path leads to another program", (guarded) =>
  succeeds(
    {
      cmd: "cd sub && ../../user/bin/tool",
      allowed: [["cd"], ["../../user/bin/tool"]],
      plant: ({ put, steal, base, workspace }) => {
        put("user/bin/tool", "#!/bin/sh\n");
        put("evil/at/here/.keep", "");
        put("evil/user/bin/tool", script(steal));
        symlinkSync(join(base, "evil/at/here"), join(workspace, "sub"));
      },
    },
    guarded,
  ),
);

attack("replaces a program while a person is asked about its name", (guarded) =>
  succeeds(
    {
      cmd: "tool",
      allowed: [],
      escalated: true,
      plant: ({ put, base, workspace }) => {
        put("user/bin/tool", "#!/bin/sh\n");
        return { PATH: `${workspace}/bin:${base}/user/bin:/usr/bin:/bin` };
      },
      answer: ({ put, steal }) => {
        put("workspace/bin/tool", script(steal));
        return "accept";
      },
    },
    guarded,
  ),
);

attack("replaces a program that was approved for the session", (guarded) =>
  succeeds(
    {
      cmd: "tool",
      allowed: [],
      escalated: true,
      plant: ({ put, base, workspace }) => {
        put("workspace/bin/tool", "#!/bin/sh\n");
        return { PATH: `${workspace}/bin:${base}/user/bin:/usr/bin:/bin` };
      },
      between: ({ put, steal }) => void put("workspace/bin/tool", script(steal)),
      answer: (_, asked) => (asked === 1 ? "acceptForSession" : "decline"),
    },
    guarded,
  ),
);

attack("runs an ls of the folder of another thread, which is on PATH", async (guarded) => {
  await using other = await world();
  if (guarded) addWritableFolders({ policy: workspaceWrite(), workspace: [other.workspace] });
  return await succeeds(
    {
      cmd: "ls",
      allowed: ls,
      plant: ({ steal }) => {
        writeFileSync(join(other.workspace, "ls"), script(steal), { mode: 0o755 });
        return { PATH: `${other.workspace}:/usr/bin:/bin` };
      },
    },
    guarded,
  );
});

attack("runs an ls of the workspace where looking is not asked about", (guarded) =>
  succeeds({ cmd: "ls", plant: planted("ls") }, guarded),
);

attack("runs a program of the workspace behind a pipe, where looking is not asked about", (guarded) =>
  succeeds({ cmd: "echo a | wc", plant: planted("wc") }, guarded),
);
