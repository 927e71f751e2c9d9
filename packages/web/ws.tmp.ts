const token = "devtokendevtokendevtokendevtoken1234";
const r = await fetch("http://127.0.0.1:4711/api/session", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ token }) });
const cookie = r.headers.get("set-cookie")!.split(";")[0];
const ws = new WebSocket("ws://127.0.0.1:4711/socket", { headers: { cookie, origin: "http://127.0.0.1:4711" } } as any);
ws.onmessage = ({ data }) => { const m = JSON.parse(String(data)); if (m.type === "welcome") { for (const h of m.hubs) { console.log(h.name, h.state, h.version, h.userAgent); ws.send(JSON.stringify({ type: "rpc", hub: h.id, message: { id: 0, method: process.argv[2] ?? "thread/list", params: JSON.parse(process.argv[3] ?? "{}") } })); } } else if (m.type === "rpc" && m.message.id === 0) console.log(JSON.stringify(m.message).slice(0, 1500)); };
setTimeout(() => process.exit(), 1500);
