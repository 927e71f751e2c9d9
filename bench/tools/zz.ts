import { join } from "node:path";
import { realCodex } from "@quire/testkit";
import { Subject } from "../server/subject.ts";
import { timed } from "../server/measure.ts";
const model = Bun.spawn([process.execPath, join(import.meta.dirname, "model-server.ts")], { stdout: "pipe", stderr: "inherit" });
const url = new TextDecoder().decode((await model.stdout.getReader().read()).value).trim();
setTimeout(()=>{model.kill(); process.exit(1)}, 50000);
for (const name of process.argv.slice(2)) {
  await using codex = await realCodex("0.166.0", { model: url });
  await using s = await Subject.spawn(name === "quire" ? { ...codex, command: "/work/main/packages/cli/bin/quire" } : codex);
  for (const sandbox of ["danger-full-access","workspace-write"]) {
    const { thread } = await s.request<any>("thread/start", { cwd: codex.cwd, sandbox, approvalPolicy: "never" });
    for (const what of ["apart 2","apart 10","together 10","add 200","update 200"]) console.log(name, sandbox, what, await timed(() => s.turn(thread.id, what)).catch(e=>e));
  }
}
model.kill();
