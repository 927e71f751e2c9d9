/** The least that can be said to have connected: spawn, `initialize`, its reply parsed. */
import { spawn } from "node:child_process";
import { writeSync } from "node:fs";

const [program = "", ...args] = process.argv.slice(2);
const { stdin, stdout } = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
let text = "";
stdout.on("data", (chunk) => {
  text += chunk;
  if (!text.includes("\n")) return;
  const { result } = JSON.parse(text);
  if (!result.userAgent) throw new Error("That was no reply to initialize");
  stdin.write('{"method":"initialized"}\n');
  writeSync(1, "ready\n");
  process.exit(0);
});
const clientInfo = { name: "bare", title: null, version: "1" };
stdin.write(`${JSON.stringify({ method: "initialize", id: 0, params: { clientInfo } })}\n`);
