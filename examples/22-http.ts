/**
 * Serves Codex to a web page: turns as server-sent events, and approvals that the visitor answers.
 * Run it: npx bun examples/22-http.ts
 */
import { randomUUID } from "node:crypto";
import { CodexClient } from "@quire/client";
import { createHandler } from "@quire/client/http";
import { Approvals } from "@quire/client/questions";

const approvals = new Approvals();
const codex = await CodexClient.spawn({ onApproval: approvals.ask });

// Your own login goes here. This one knows a single visitor, by a cookie that no script can read.
const token = randomUUID();
const cookie = `token=${token}; HttpOnly; SameSite=Strict; Path=/`;
const handle = createHandler(codex, {
  user: (request) => (request.headers.get("cookie")?.includes(`token=${token}`) ? "visitor" : null),
  approvals,
  basePath: "/api",
  thread: { sandbox: "read-only", approvalPolicy: "untrusted" },
});

const page = `<!doctype html><meta charset="utf-8"><title>Codex</title>
<form><input name="input" autofocus><button>Send</button></form><pre></pre>
<script type="module">
  const post = (path, body) => fetch("/api/" + path, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
  });
  const { threadId } = await (await post("threads", {})).json();
  const out = document.querySelector("pre");
  document.querySelector("form").onsubmit = async (submit) => {
    submit.preventDefault();
    const { body } = await post("threads/" + threadId + "/turns", { input: submit.target.input.value });
    let text = "";
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + chunk).split("\\n\\n");
      text = blocks.pop();
      for (const block of blocks) {
        const data = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? "null");
        if (data?.type === "agentMessage.delta") out.append(data.delta);
        if (/^event: approvals$/m.test(block)) for (const { id, script } of data)
          await post("approvals/" + id, { decision: confirm("Run " + script + "?") ? "accept" : "decline" });
        if (/^event: end$/m.test(block)) out.append("\\n");
      }
    }
  };
</script>`;

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env.PORT ?? 3000),
  // A turn may be silent for longer than Bun waits by default.
  idleTimeout: 0,
  fetch: (request) =>
    new URL(request.url).pathname === "/"
      ? new Response(page, { headers: { "content-type": "text/html", "set-cookie": cookie } })
      : handle(request),
});
console.log(`Open ${server.url}`);
