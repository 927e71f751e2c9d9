/** Attacks: which program runs. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attack } from "@quire/testkit/attack";
import { findProgram } from "../../../src/run/process/find-program.ts";
import { ownPathFirst } from "../../../src/run/process/own-path.ts";
import { findShell } from "../../../src/run/process/shells.ts";
import { addWritableFolders } from "../../../src/run/process/writable-folders.ts";
import { workspaceWrite } from "../support/attempt.ts";
import { type Planting, script, succeeds } from "../support/planted.ts";
import { world } from "../support/world.ts";

const ls = [["ls"]];

attack("has a shell read a file of the workspace that a variable names", (guarded) =>
  succeeds(
    {
      cmd: "ls",
      allowed: ls,
      plant: ({ put, steal }) => ({ BASH_ENV: put("workspace/.env.sh", `${steal}\n`) }),
    },
    guarded,
  ),
);

attack("runs an ls of the workspace, whose folder the user's profile puts onto PATH", (guarded) =>
  succeeds(
    {
      cmd: "ls",
      allowed: ls,
      login: true,
      plant: ({ put, steal, workspace }) => {
        put("workspace/bin/ls", script(steal));
        put("user/.bash_profile", `PATH=${workspace}/bin:$PATH\n`);
      },
    },
    guarded,
  ),
);

attack("runs an ls of the workspace, which the profile puts onto PATH by the working folder", (guarded) =>
  succeeds(
    {
      cmd: "ls",
      allowed: ls,
      login: true,
      plant: ({ put, steal }) => {
        put("workspace/bin/ls", script(steal));
        put("user/.bash_profile", 'if [ -d "$PWD/bin" ] && [ "$PWD" != / ]; then PATH=$PWD/bin:$PATH; fi\n');
      },
    },
    guarded,
  ),
);

attack("has a profile read what a model wrote in the home folder", (guarded) =>
  succeeds(
    {
      cmd: "ls",
      allowed: ls,
      login: true,
      plant: ({ put, steal, workspace }) => {
        put("workspace/.bash_profile", '. "$HOME/.cargo/env"\n');
        put("workspace/.cargo/env", `${steal}\n`);
        return { HOME: workspace };
      },
    },
    guarded,
  ),
);

attack("sets PATH by an allowed export before an allowed ls", (guarded) =>
  succeeds(
    {
      cmd: "export PATH=bin; ls",
      allowed: [["ls"], ["export"]],
      plant: ({ put, steal }) => void put("workspace/bin/ls", script(steal)),
    },
    guarded,
  ),
);

attack("sets PATH by an allowed printf before an allowed ls", (guarded) =>
  succeeds(
    {
      cmd: "printf -v PATH bin; ls",
      allowed: [["ls"], ["printf"]],
      plant: ({ put, steal }) => void put("workspace/bin/ls", script(steal)),
    },
    guarded,
  ),
);

attack("tells the shell by an allowed hash where ls is", (guarded) =>
  succeeds(
    {
      cmd: "hash -p bin/ls ls; ls",
      allowed: [["ls"], ["hash"]],
      plant: ({ put, steal }) => void put("workspace/bin/ls", script(steal)),
    },
    guarded,
  ),
);

/** A planted program among all that is on PATH, and whether a lookup takes it. */
async function found(look: (bin: string) => string | undefined): Promise<boolean> {
  await using place = await world();
  const bin = join(place.workspace, "bin");
  mkdirSync(bin);
  for (const name of ["zsh", "helper"]) writeFileSync(join(bin, name), "#!/bin/sh\n", { mode: 0o755 });
  addWritableFolders({ policy: workspaceWrite(), workspace: [place.workspace] });
  return look(bin)?.startsWith(bin) === true;
}

attack("has the model's own zsh taken for the shell, by its name", (guarded) =>
  found((bin) => (guarded ? findShell("zsh") : (Bun.which("zsh", { PATH: bin }) ?? undefined))),
);

attack("has the model's own zsh taken for the shell, by its path", (guarded) =>
  found((bin) => (guarded ? findShell(join(bin, "zsh")) : join(bin, "zsh"))),
);

attack("has a helper of the server taken from a workspace on PATH", (guarded) =>
  found((bin) => (guarded ? findProgram("helper", bin) : (Bun.which("helper", { PATH: bin }) ?? undefined))),
);

attack("has the profile read what a model wrote, before a command that a person approved", (guarded) =>
  succeeds(
    {
      cmd: "ls",
      allowed: [],
      escalated: true,
      login: true,
      plant: ({ put, steal, workspace }) => {
        put("workspace/.bash_profile", '. "$HOME/.cargo/env"\n');
        put("workspace/.cargo/env", `${steal}\n`);
        return { HOME: workspace };
      },
      answer: () => "accept",
    },
    guarded,
  ),
);

attack("has a hook or an MCP server of the user's take a program from another workspace on PATH", (guarded) =>
  found((bin) => {
    const tools = join(bin, "../../tools");
    mkdirSync(tools);
    writeFileSync(join(tools, "helper"), "#!/bin/sh\n", { mode: 0o755 });
    const path = `${bin}:${tools}`;
    return Bun.which("helper", { PATH: guarded ? ownPathFirst(path, "/srv/work", undefined) : path }) ?? undefined;
  }),
);

const profiled = ({ put, steal, workspace }: Planting) => {
  put("workspace/bin/id", script(steal));
  put("user/.bash_profile", "id > /dev/null\n");
  return { PATH: `${workspace}/bin:/usr/bin:/bin` };
};

attack("has the user's profile run a program of the workspace before an allowed command", (guarded) =>
  succeeds({ cmd: "ls", allowed: ls, login: true, plant: profiled }, guarded),
);

attack("has the user's profile run a program of the workspace before one that a person approved", (guarded) =>
  succeeds({ cmd: "ls", allowed: [], escalated: true, login: true, plant: profiled, answer: () => "accept" }, guarded),
);

attack("has the user's profile run a program of the workspace where looking is not asked about", (guarded) =>
  succeeds({ cmd: "ls", login: true, plant: profiled }, guarded),
);

attack("has a hook or an MCP server of the user's take a program from the workspace on PATH", (guarded) =>
  found((bin) => {
    const tools = join(bin, "../../tools");
    mkdirSync(tools);
    writeFileSync(join(tools, "helper"), "#!/bin/sh\n", { mode: 0o755 });
    const path = `${bin}:${tools}`;
    return Bun.which("helper", { PATH: guarded ? ownPathFirst(path, join(bin, ".."), undefined) : path }) ?? undefined;
  }),
);
