/** A server that is about to be killed: runs one command, in the sandbox or not, and prints a line when it runs. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import type { Launch } from "../../../src/run/process/launcher.ts";
import { sandboxLauncher } from "../../../src/run/sandbox/sandbox-launcher.ts";
import { workspaceWrite } from "./attempt.ts";
import type { World } from "./world.ts";

const [place = "", confined] = process.argv.slice(2);
const { base, workspace, home } = JSON.parse(place) as World;
const env = { PATH: process.env.PATH ?? "" };
const script = '$| = 1; setpgrp; $SIG{HUP} = q(IGNORE); print "ready\\n"; sleep 1000';
const plain: Launch = { argv: ["perl", "-e", script, base], cwd: workspace, env };
const launch = sandboxLauncher({ home, env });
const { argv, hold } =
  confined === "true" ? launch(plain, { policy: workspaceWrite(), workspace: [workspace], tty: false }) : plain;
const [program = "", ...args] = argv;
hold?.();
const child = spawn(program, args, { cwd: workspace, env, detached: true, stdio: ["ignore", "pipe", "inherit"] });
await once(child.stdout, "data");
console.log("ready");
