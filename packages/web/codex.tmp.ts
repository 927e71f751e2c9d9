import { spawn } from "node:child_process";
import { mockResponses, realCodex, reply } from "@quire/testkit";
const mock = await mockResponses();
let n = 0;
const script = (body: any) => {
  const text = JSON.stringify(body.input?.at(-1) ?? "");
  if (text.includes("run it")) return reply().functionCall("exec_command", { cmd: "echo hi; ls" }, { callId: `call-${++n}` } as any);
  if (text.includes("function_call_output")) return reply().reasoning(["**Thinking** about it"]).text("Done: the command ran.");
  return reply().text("Hello **world**.\n\n```ts\nconst a = 1;\n```\n");
};
const c166 = await realCodex("0.166.0", { model: mock, config: {} } as any);
const c118 = await realCodex("0.118.0", { model: mock, approvalPolicy: "untrusted" } as any);
mock.fallback((r: any) => script(r.body));
const start = (c: any, port: number): void => {
  const child = spawn(c.command, [...c.args, "--listen", `ws://127.0.0.1:${port}`], { env: c.env, cwd: c.cwd, stdio: ["ignore", "ignore", "inherit"] });
  console.log("pid", port, child.pid);
  child.on("exit", (code) => { console.log(c.version, "exit", code); setTimeout(() => start(c, port), 4000); });
};
start(c166, 4500); start(c118, 4501);
process.on("SIGTERM", async () => { await c166[Symbol.asyncDispose](); await c118[Symbol.asyncDispose](); process.exit(0); });
setInterval(() => 0, 1000);
