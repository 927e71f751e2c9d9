import { mockResponses, realCodex, reply } from "@quire/testkit";
import { CodexClient } from "@quire/client";
process.env.QUIRE_CACHE="/work/main/.cache";
const v=process.argv[2]!, what=process.argv[3];
const mock = await mockResponses();
const codex = await realCodex(v, { model: mock });
const client = await CodexClient.spawn({ command:[codex.command,...codex.args], env: codex.env, cwd: codex.cwd, turnIdleTimeoutMs: 15000});
const thread = await client.thread();
mock.script(reply().text("hello")); await thread.run("hi");
client.on("notification", m=>{ const p=m.params as any; if(m.method.startsWith("codex/event")) return; console.log("  <-",m.method,p?.turnId??p?.turn?.id, p?.item?.type, p?.turn?.status, p?.delta)});
if (what==="compact") { mock.script(reply().text("summary")); console.log(JSON.stringify(await thread.compact())); }
if (what==="interrupt") { mock.script(reply().functionCall("exec_command",{cmd:"sleep 30"},{callId:"e2"})); const t=thread.run("x"); for await(const e of t) if(e.type==="item.started"&&e.item.type==="commandExecution") break; await t.interrupt(); console.log((await t).status); }
if (what==="agents") { mock.when((r:any)=>JSON.stringify(r.body.input).includes("CHILDTASK")&&!JSON.stringify(r.body.input).includes("spawnplease")).always(reply().text("child says hi")); mock.script(reply().functionCall("spawn_agent",{message:"CHILDTASK do"},{callId:"s1", ...(v==="0.166.0"?{namespace:"multi_agent_v1"}:{})} as any), (req:any)=>{ const out=JSON.parse(req.functionOutput("s1")); console.log("OUT",JSON.stringify(out)); return reply().functionCall("wait_agent",{targets:[out.agent_id],timeout_ms:10000},{callId:"s2", ...(v==="0.166.0"?{namespace:"multi_agent_v1"}:{})} as any); }, reply().text("parent done")); const r=await thread.run("spawnplease"); console.log(JSON.stringify(r.items).slice(0,1500), thread.children.map(c=>c.id)); for(const c of thread.children) console.log(JSON.stringify(await c.read()).slice(0,800)); }
await client.close(); await mock.close(); await codex[Symbol.asyncDispose](); process.exit(0)
