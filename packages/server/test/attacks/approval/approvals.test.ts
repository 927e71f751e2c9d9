/** Attacks: approvals. */
import { existsSync, mkdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { commandsOf } from "../../../src/approval/commands.ts";
import { FakeThread } from "../../tools/fake-context.ts";
import { world } from "../support/world.ts";

interface Call {
  readonly cmd: string;
  readonly [option: string]: unknown;
}

/** What a person approves for the session, and what a model then runs in its place. Success leaves a file `stolen`. */
interface Swap {
  readonly approved: Call;
  readonly swapped: Call;
  /** What the model does in between. */
  between?(cwd: string, env: Record<string, string | undefined>): void;
}

/** An approval as it was remembered once: by the words of the commands alone. */
function wordsOf({ cmd, workdir, tty }: Call): string {
  return JSON.stringify([commandsOf(cmd, ["sh", "-c", cmd]).exact, workdir ?? null, tty ?? false]);
}

/** Has the first command approved for the session and every later question declined. */
async function swaps({ approved, swapped, between }: Swap, guarded: boolean): Promise<boolean> {
  await using folder = await tempDir("quire-swap-");
  const cwd = folder.path;
  writeFileSync(join(cwd, "notes.txt"), "touch stolen\n");
  writeFileSync(join(cwd, "run.sh"), "touch stolen\n");
  for (const name of ["safe", "evil"]) mkdirSync(join(cwd, name));
  writeFileSync(join(cwd, "safe", "go"), "true\n");
  writeFileSync(join(cwd, "evil", "go"), `touch ${join(cwd, "stolen")}\n`);
  symlinkSync("safe", join(cwd, "at"));
  // A profile in a folder that commands can write would not be read at all. In the root it is asked for PATH.
  await using user = await world();
  writeFileSync(join(user.base, ".profile"), `[ "$PWD" = / ] || touch ${join(cwd, "stolen")}\n`);
  const env: Record<string, string | undefined> = { ...process.env, HOME: user.base };
  await using thread = new FakeThread(cwd, { settings: { approvalPolicy: "untrusted" }, env });
  let asked = 0;
  const isKnown = () => !guarded && wordsOf(approved) === wordsOf(swapped);
  thread.answer = async () => ({ decision: ++asked === 1 ? "acceptForSession" : isKnown() ? "accept" : "decline" });
  await thread.call("exec_command", { login: false, ...approved });
  if (existsSync(join(cwd, "stolen"))) throw new Error("what was approved did it already");
  between?.(cwd, env);
  await thread.call("exec_command", { login: false, ...swapped }).catch(() => undefined);
  return existsSync(join(cwd, "stolen"));
}

attack("pipes into a shell what was approved to be shown before one", (guarded) =>
  swaps({ approved: { cmd: "cat notes.txt; sh" }, swapped: { cmd: "cat notes.txt | sh" } }, guarded),
);

attack("turns an approved and into an or", (guarded) =>
  swaps({ approved: { cmd: "false && sh run.sh" }, swapped: { cmd: "false || sh run.sh" } }, guarded),
);

attack("turns an approved or into an and", (guarded) =>
  swaps({ approved: { cmd: "true || sh run.sh" }, swapped: { cmd: "true && sh run.sh" } }, guarded),
);

attack("turns an approved and into a semicolon", (guarded) =>
  swaps({ approved: { cmd: "false && sh run.sh" }, swapped: { cmd: "false; sh run.sh" } }, guarded),
);

attack("turns an approved and into a line break", (guarded) =>
  swaps({ approved: { cmd: "false && sh run.sh" }, swapped: { cmd: "false\nsh run.sh" } }, guarded),
);

attack("turns an approved and into a pipe", (guarded) =>
  swaps({ approved: { cmd: "false && sh run.sh" }, swapped: { cmd: "false | sh run.sh" } }, guarded),
);

attack("runs an approved command in a login shell that reads a profile of its own", (guarded) =>
  swaps(
    { approved: { cmd: "sh -c true", shell: "sh" }, swapped: { cmd: "sh -c true", shell: "sh", login: true } },
    guarded,
  ),
);

attack("leads the folder of an approved command elsewhere by a link", (guarded) =>
  swaps(
    {
      approved: { cmd: "sh go", workdir: "at" },
      swapped: { cmd: "sh go", workdir: "at" },
      between: (cwd) => {
        unlinkSync(join(cwd, "at"));
        symlinkSync("evil", join(cwd, "at"));
      },
    },
    guarded,
  ),
);

attack("gives an approved command a start-up file by its environment", (guarded) =>
  swaps(
    {
      approved: { cmd: "sh -c true", shell: "bash" },
      swapped: { cmd: "sh -c true", shell: "bash" },
      between: (cwd, env) => {
        env.BASH_ENV = join(cwd, "evil", "go");
      },
    },
    guarded,
  ),
);

attack("changes a variable that an approved command runs", (guarded) =>
  swaps(
    {
      approved: { cmd: 'sh -c "$TOOL"', shell: "bash" },
      swapped: { cmd: 'sh -c "$TOOL"', shell: "bash" },
      between: (cwd, env) => {
        env.TOOL = `sh ${join(cwd, "run.sh")}`;
      },
    },
    guarded,
  ),
);
