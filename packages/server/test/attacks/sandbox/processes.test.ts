/** Attacks: processes, from within the sandbox. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "@quire/testkit";
import { type Attempt, testAttempts } from "../support/attempt.ts";
import { processesNaming } from "../support/survivors.ts";
import { isAlive, type Victim, victim } from "../support/victim.ts";
import { type World, world } from "../support/world.ts";

let target: Victim;
const holdSecret = 'print "ready\\n"; sleep 100';
const prepare = async () => {
  target = await victim(holdSecret, { KEY_OF_MODEL: "escaped" });
  return { VICTIM: target.pid };
};
const cleanUp = () => target[Symbol.dispose]();
const saysEscaped = (_: World, output: string) => output.includes("escaped");

/** What is left behind must be there before its command ends. */
const untilUp = "until [ -e up ]; do sleep 0.01; done";

/** Of ptrace and io_uring_setup, which is the same everywhere. */
const traceNumber = process.arch === "arm64" ? 117 : 101;

const attempts: readonly Attempt[] = [
  {
    name: "reads the environment of the server in /proc",
    prepare,
    scripts: ['tr "\\0" "\\n" < "/proc/$VICTIM/environ"; cat /proc/*/environ | tr "\\0" "\\n" | grep -a KEY_OF_MODEL'],
    escaped: saysEscaped,
    cleanUp,
  },
  {
    name: "reads the memory of the server in /proc",
    prepare,
    scripts: [
      `perl -e 'open(M, "<", "/proc/$ENV{VICTIM}/maps") or exit; while (<M>) { next unless /^(\\w+)-(\\w+) r.*stack/; open(F, "<:raw", "/proc/$ENV{VICTIM}/mem") or exit; sysseek(F, hex $1, 0); sysread(F, $b, hex($2) - hex($1)); print "escaped" if $b =~ /KEY_OF_MODEL=/ }'`,
    ],
    escaped: saysEscaped,
    cleanUp,
  },
  {
    name: "attaches to the server as a debugger",
    prepare,
    scripts: [`perl -e 'print "escaped" if syscall(${traceNumber}, 16, $ENV{VICTIM} + 0, 0, 0) == 0'`],
    escaped: saysEscaped,
    cleanUp,
  },
  {
    name: "sends a signal to the server",
    prepare,
    scripts: ['kill -KILL "$VICTIM" || echo refused'],
    escaped: async (_, output) => {
      if (!output.includes("refused")) await eventually(() => !isAlive(target));
      return !isAlive(target);
    },
    cleanUp,
  },
  {
    name: "makes a user namespace, to be root in it",
    scripts: ["unshare -Ur true && echo escaped"],
    escaped: saysEscaped,
    asRoot: true,
  },
  {
    name: "makes a network namespace of its own, by clone",
    // CLONE_NEWUSER and CLONE_NEWNET, with SIGCHLD.
    scripts: [
      `perl -e '$pid = syscall(${process.arch === "arm64" ? 220 : 56}, 0x50000011, 0, 0, 0, 0); exit if $pid == 0; print "escaped" if $pid > 0; waitpid($pid, 0)'`,
    ],
    escaped: saysEscaped,
    asRoot: true,
  },
  {
    name: "opens io_uring, which is not held back by filters of system calls",
    scripts: [`perl -e '$b = "\\0" x 120; print "escaped" if syscall(425, 8, $b) >= 0'`],
    escaped: saysEscaped,
  },
  {
    name: "leaves a process in the background",
    scripts: [`perl -e 'open(F, ">", "up"); close F; sleep 1000' "$BASE" > /dev/null 2>&1 & ${untilUp}`],
    escaped: survives,
    cleanUp: endSurvivors,
  },
  {
    name: "leaves a process that has forked twice, in a session of its own, with no environment",
    scripts: [
      `(setsid env -i perl -e 'fork and exit; open(F, ">", "up"); close F; sleep 1000' "$BASE" > /dev/null 2>&1 &); ${untilUp}`,
    ],
    escaped: survives,
    cleanUp: endSurvivors,
  },
];

/** What is started takes a moment to show, what is killed to go. */
async function survives(place: World, _: string, confined: boolean): Promise<boolean> {
  await eventually(() => processesNaming(place).length > 0 !== confined, { timeoutMs: 30_000 });
  return !confined;
}

function endSurvivors(place: World): void {
  for (const pid of processesNaming(place)) process.kill(pid, "SIGKILL");
}

/** Makes process 1 forget that it is to end with the server, by tracing it. Outside there is a victim in its place. */
const traceInit: Attempt = {
  name: "attaches to the process that ends the sandbox with the server",
  prepare,
  scripts: [
    `perl -e 'for $pid (1, $ENV{VICTIM}) { print "escaped" if syscall(${traceNumber}, 16, $pid + 0, 0, 0) == 0; syscall(${traceNumber}, 17, $pid + 0, 0, 0) }'`,
  ],
  escaped: saysEscaped,
  cleanUp,
};

testAttempts([...attempts, traceInit]);

test("outlives a server that is killed", async () => {
  await using place = await world();
  for (const confined of [false, true]) {
    const args = [
      join(import.meta.dirname, "..", "support", "short-lived.ts"),
      JSON.stringify(place),
      String(confined),
    ];
    const server = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    await once(server.stdout, "data");
    assert.equal(processesNaming(place).length > 0, true);
    server.kill("SIGKILL");
    await once(server, "exit");
    assert.equal(await survives(place, "", confined), !confined);
    endSurvivors(place);
  }
});
