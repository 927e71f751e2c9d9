import { tempDir, reply } from "@quire/testkit";
import { scripted } from "../support/scripted.ts";
const f = await tempDir(); const s = await scripted(f.path+"/home"); const id = await s.thread({cwd:f.path, sandbox:"danger-full-access"});
const lines = (n:number)=>Array.from({length:20},(_, l)=>`line ${l} of file ${n}`);
const patch = (b:string)=>reply().functionCall("exec_command",{cmd:`apply_patch <<'END'\n*** Begin Patch\n${b}\n*** End Patch\nEND\n`});
const all=[...Array(200).keys()];
for (let r=0;r<3;r++) {
s.model.script(patch(all.map(n=>[`*** Add File: d${r}/${n}.txt`,...lines(n).map(l=>"+"+l)].join("\n")).join("\n")), reply().text("x"));
let t=performance.now(); await s.turn(id); console.log("add",performance.now()-t);
s.model.script(patch(all.map(n=>[`*** Update File: d${r}/${n}.txt`,"@@",` line 9 of file ${n}`,`-line 10 of file ${n}`,`+changed`,` line 11 of file ${n}`].join("\n")).join("\n")), reply().text("x"));
t=performance.now(); await s.turn(id); console.log("update",performance.now()-t);
}
await s[Symbol.asyncDispose](); await f[Symbol.asyncDispose](); process.exit(0);
