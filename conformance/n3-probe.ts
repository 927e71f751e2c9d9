import { reply } from "@quire/testkit";
import { Stage } from "./lib/stage.ts";
import { real, ours } from "./lib/contestants.ts";
import { runTurn, startThread } from "./lib/steps.ts";
const who = process.argv[2] === "ours" ? ours : real;
await using stage = await Stage.open(who, { name: "x/x", covers: "", run: async () => {} } as never);
stage.model.script(
  reply().headers({ "openai-model": "gpt-other" }).text("one"),
  reply().headers({ "openai-model": "gpt-other" }).event("response.metadata", { metadata: { openai_verification_recommendation: ["trusted_access_for_cyber"], openai_chatgpt_moderation_metadata: { flagged: true } } }).text("two"),
  reply().event("response.metadata", { response_id: "r", sequence_number: 1, metadata: { openai_verification_recommendation: "trusted_access_for_cyber", openai_chatgpt_moderation_metadata: { flagged: true } } }).text("three"),
);
const peer = await stage.connect();
const t = await startThread(peer);
for (const w of ["a", "b", "c"]) await runTurn(peer, t, w);
for (const m of stage.log) { const x = m.message as any; if (m.by === "server" && x.method && !/status|tokenUsage|item\/(agent|started)|mcp|remote/.test(x.method)) console.log(x.method, JSON.stringify(x.params).slice(0, 400)); }
