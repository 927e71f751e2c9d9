/** Attacks: what changes between an approval and what was approved. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { commitPatch } from "../../../src/patch/commit-patch.ts";
import { parsePatch } from "../../../src/patch/parse-patch.ts";
import { planPatch } from "../../../src/patch/plan-patch.ts";
import { FakeThread } from "../../tools/fake-context.ts";

interface Patching {
  readonly patch: string;
  /** What another process does while the person reads. */
  meanwhile(cwd: string): void;
  isDone(cwd: string): boolean;
}

/** Has a patch approved while its files change. The control applies it to whatever is there afterwards. */
async function patches({ patch, meanwhile, isDone }: Patching, guarded: boolean): Promise<boolean> {
  await using folder = await tempDir("quire-meanwhile-");
  const cwd = folder.path;
  for (const name of ["in", "out"]) mkdirSync(join(cwd, name));
  for (const name of ["a", "in/a", "out/a"]) writeFileSync(join(cwd, name), "one\nsame\ntwo\n");
  const text = `*** Begin Patch\n${patch}\n*** End Patch`;
  if (!guarded) {
    meanwhile(cwd);
    await commitPatch(await planPatch(parsePatch(text), { cwd, home: join(cwd, "home") }));
    return isDone(cwd);
  }
  await using thread = new FakeThread(cwd, { settings: { approvalPolicy: "untrusted" } });
  thread.answer = async () => {
    meanwhile(cwd);
    return { decision: "accept" };
  };
  await thread.call("apply_patch", text, { kind: "custom" });
  return isDone(cwd);
}

const text = (path: string) => readFileSync(path, "utf8");
const swap = (cwd: string, name: string, target: string) => {
  renameSync(join(cwd, name), join(cwd, "was"));
  symlinkSync(target, join(cwd, name));
};

attack("changes the lines around a patch while it is approved", (guarded) =>
  patches(
    {
      patch: "*** Update File: a\n@@\n-two\n+rm -rf cache",
      meanwhile: (cwd) => writeFileSync(join(cwd, "a"), "cd ~ &&\\\ntwo\n"),
      isDone: (cwd) => text(join(cwd, "a")) === "cd ~ &&\\\nrm -rf cache\n",
    },
    guarded,
  ),
);

attack("has a patch land in another place of its file than was shown", (guarded) =>
  patches(
    {
      patch: "*** Update File: a\n@@\n same\n-two\n+evil",
      meanwhile: (cwd) => writeFileSync(join(cwd, "a"), "same\ntwo\none\nsame\ntwo\n"),
      isDone: (cwd) => text(join(cwd, "a")).startsWith("same\nevil\n"),
    },
    guarded,
  ),
);

attack("has a patch delete what was written after it was shown", (guarded) =>
  patches(
    {
      patch: "*** Delete File: a",
      meanwhile: (cwd) => writeFileSync(join(cwd, "a"), "a day's work\n"),
      isDone: (cwd) => !existsSync(join(cwd, "a")),
    },
    guarded,
  ),
);

attack("has a patch replace a file that came after it was shown", (guarded) =>
  patches(
    {
      patch: "*** Add File: new\n+evil",
      meanwhile: (cwd) => writeFileSync(join(cwd, "new"), "a day's work\n"),
      isDone: (cwd) => text(join(cwd, "new")) === "evil\n",
    },
    guarded,
  ),
);

attack("has a patch move a file over one that came after it was shown", (guarded) =>
  patches(
    {
      patch: "*** Update File: a\n*** Move to: new\n@@\n-two\n+evil",
      meanwhile: (cwd) => writeFileSync(join(cwd, "new"), "a day's work\n"),
      isDone: (cwd) => text(join(cwd, "new")).includes("evil"),
    },
    guarded,
  ),
);

attack("makes a file a program while its patch is approved", (guarded) =>
  patches(
    {
      patch: "*** Update File: a\n@@\n-two\n+three",
      meanwhile: (cwd) => chmodSync(join(cwd, "a"), 0o4755),
      isDone: (cwd) => text(join(cwd, "a")).includes("three") && (statSync(join(cwd, "a")).mode & 0o111) !== 0,
    },
    guarded,
  ),
);

attack("puts a link in the place of a file while its patch is approved", (guarded) =>
  patches(
    {
      patch: "*** Update File: a\n@@\n-two\n+evil",
      meanwhile: (cwd) => swap(cwd, "a", "out/a"),
      isDone: (cwd) => text(join(cwd, "out/a")).includes("evil"),
    },
    guarded,
  ),
);

attack("puts a link in the place of a folder while a patch in it is approved", (guarded) =>
  patches(
    {
      patch: "*** Update File: in/a\n@@\n-two\n+evil",
      meanwhile: (cwd) => swap(cwd, "in", "out"),
      isDone: (cwd) => text(join(cwd, "out/a")).includes("evil"),
    },
    guarded,
  ),
);

interface Running {
  readonly workdir: string;
  readonly policy?: "untrusted" | "on-failure";
  /** The script in the folder that a person looks at. Default: does nothing. */
  readonly safe?: string;
  meanwhile?(cwd: string, env: Record<string, string | undefined>): void;
}

/** Has `sh ./go` approved while its folder or environment changes. The control runs it by the path, as it is then. */
async function runs({ workdir, policy = "untrusted", safe = "true\n", meanwhile }: Running, guarded: boolean) {
  await using folder = await tempDir("quire-meanwhile-");
  const cwd = folder.path;
  for (const name of ["in/deep", "out/deep"]) {
    mkdirSync(join(cwd, name), { recursive: true });
    const script = name === "in/deep" ? safe : `touch ${join(cwd, "stolen")}\n`;
    for (const at of [name, join(name, "..")]) writeFileSync(join(cwd, at, "go"), script);
  }
  writeFileSync(join(cwd, "evil.sh"), `touch ${join(cwd, "stolen")}\n`);
  const env: Record<string, string | undefined> = { PATH: process.env.PATH, HOME: cwd };
  if (!guarded) {
    const run = () => execFileSync("bash", ["-c", "sh ./go"], { cwd: join(cwd, workdir), env, stdio: "ignore" });
    if (policy === "on-failure") {
      try {
        run();
      } catch {
        // Its first try fails.
      }
    }
    meanwhile?.(cwd, env);
    run();
    return existsSync(join(cwd, "stolen"));
  }
  const sandboxPolicy = { type: "readOnly", networkAccess: false } as const;
  const settings = { approvalPolicy: policy as "untrusted", sandboxPolicy };
  await using thread = new FakeThread(cwd, { settings, env });
  let asked = 0;
  thread.answer = async () => {
    asked += 1;
    meanwhile?.(cwd, env);
    return { decision: "accept" };
  };
  const call = { cmd: "sh ./go", workdir, shell: "bash", login: false };
  await thread.call("exec_command", call).catch(() => undefined);
  if (asked !== 1) throw new Error(`${asked} questions instead of one`);
  return existsSync(join(cwd, "stolen"));
}

attack("puts a link in the place of a command's folder while it is approved", (guarded) =>
  runs({ workdir: "in", meanwhile: (cwd) => swap(cwd, "in", "out") }, guarded),
);

attack("puts a link above a command's folder while it is approved", (guarded) =>
  runs({ workdir: "in/deep", meanwhile: (cwd) => swap(cwd, "in", "out") }, guarded),
);

attack("leads a command's folder elsewhere at its first try, for the one without the sandbox", (guarded) =>
  runs(
    {
      workdir: "in",
      policy: "on-failure",
      safe: "cd ..; mv in was; ln -s out in; echo 'Permission denied' >&2; exit 1\n",
    },
    guarded,
  ),
);

attack("gives a command a start-up file by the environment while it is approved", (guarded) =>
  runs(
    {
      workdir: "in",
      meanwhile: (cwd, env) => {
        env.BASH_ENV = join(cwd, "evil.sh");
      },
    },
    guarded,
  ),
);

attack("gives a command another PATH while it is approved", (guarded) =>
  runs(
    {
      workdir: "in",
      meanwhile: (cwd, env) => {
        mkdirSync(join(cwd, "bin"));
        writeFileSync(join(cwd, "bin", "sh"), `#!/bin/bash\ntouch ${join(cwd, "stolen")}\n`, { mode: 0o755 });
        env.PATH = `${join(cwd, "bin")}:${env.PATH}`;
      },
    },
    guarded,
  ),
);

attack("replaces a program while its try without the sandbox is approved", async (guarded) => {
  await using folder = await tempDir("quire-meanwhile-");
  const cwd = folder.path;
  const tool = join(cwd, "bin", "tool");
  const put = (script: string) => writeFileSync(tool, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  mkdirSync(join(cwd, "bin"));
  put("echo 'Permission denied' >&2; exit 1");
  const env = { PATH: `${join(cwd, "bin")}:${process.env.PATH}`, HOME: "/nowhere" };
  const evil = `touch ${join(cwd, "stolen")}`;
  if (!guarded) {
    put(evil);
    execFileSync("sh", ["-c", "tool"], { cwd, env, stdio: "ignore" });
    return existsSync(join(cwd, "stolen"));
  }
  const sandboxPolicy = { type: "workspaceWrite", excludeSlashTmp: true, excludeTmpdirEnvVar: true } as never;
  const settings = { approvalPolicy: "on-failure" as "untrusted", sandboxPolicy };
  await using thread = new FakeThread(cwd, { settings, env });
  thread.answer = async () => {
    put(evil);
    return { decision: "accept" };
  };
  await thread.call("exec_command", { cmd: "tool", shell: "sh", login: false });
  if (thread.all("item/commandExecution/requestApproval").length !== 1) throw new Error("nobody was asked");
  return existsSync(join(cwd, "stolen"));
});
