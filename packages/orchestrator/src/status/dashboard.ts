import type { OrchestratorControl } from "../events/control.ts";
import type { RunError } from "../events/run-error.ts";
import type { Snapshot } from "../events/snapshot.ts";
import { ago, count, limits, span } from "./format.ts";
import { html, type Markup, raw } from "./html.ts";
import { content } from "./responses.ts";

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page at `/`. It holds nothing of the state: its script asks for that, with the token of the address. */
export function renderShell(): Response {
  return page(html`<p>Open the address printed by <code>quire orchestrate</code>; it includes the token.</p>`);
}

/** The state now, as a page of which the script takes the middle. */
export function renderDashboard(control: OrchestratorControl): Response {
  return page(body(control.snapshot()));
}

function page(main: Markup): Response {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Quire orchestrator</title>
<link rel="stylesheet" href="/dashboard.css">
<script src="/dashboard.js" defer></script>
</head>
<body>
<main>${main}</main>
</body>
</html>
`;
  return content("text/html; charset=utf-8", document.text, { "content-security-policy": policy });
}

function body(snapshot: Snapshot): Markup {
  const { running, retrying, blocked, finished, totals, health, generatedAt: now, maxConcurrentAgents } = snapshot;
  return html`
<header><h1>Orchestrator</h1>
<p>${snapshot.workflowPath} · ${snapshot.trackerKind} · ${snapshot.mode}</p>
<p>${running.length} of ${maxConcurrentAgents} agents · ${count(totals.totalTokens)} tokens · ${span(totals.secondsRunning * 1000)} of work${limits(snapshot.rateLimits, " · ")} · checked ${ago(health.lastTickAt, now)}</p>
<p>${button("Refresh", "refresh")} ${snapshot.mode === "paused" ? button("Resume", "resume") : button("Pause", "pause")}</p>
${problemNote("The workflow has an error", health.workflowError)}
${problemNote("The tracker is not responding", health.trackerError)}</header>
${table(
  "Running",
  ["Issue", "Phase", "Turns", "Tokens", "Since", "Last", ""],
  running.map((run) => [
    issueLink(run),
    run.phase,
    String(run.turnCount),
    count(run.tokens.totalTokens),
    ago(run.startedAt, now),
    run.lastEvent?.message ?? "",
    button("Stop", `${encodeURIComponent(run.identifier)}/stop`),
  ]),
)}
${table(
  "Retrying",
  ["Issue", "Attempt", "Due", "Reason", ""],
  retrying.map((entry) => [
    issueLink(entry),
    String(entry.attempt),
    entry.dueAt <= now ? "now" : `in ${span(entry.dueAt - now)}`,
    entry.error ?? "still active, will continue",
    button("Retry", `${encodeURIComponent(entry.identifier)}/retry`),
  ]),
)}
${table(
  "Blocked",
  ["Issue", "Since", "Reason", ""],
  blocked.map((entry) => [
    issueLink(entry),
    ago(entry.since, now),
    `${entry.reason.code}: ${entry.reason.message}`,
    button("Retry", `${encodeURIComponent(entry.identifier)}/retry`),
  ]),
)}
${table(
  "Finished",
  ["Issue", "State", "Outcome", "Runs", "Tokens", "When"],
  finished
    .slice(0, 50)
    .map((issue) => [
      issueLink(issue),
      issue.state,
      issue.outcome,
      String(issue.attempts),
      count(issue.tokens.totalTokens),
      ago(issue.at, now),
    ]),
)}`;
}

function table(title: string, heads: readonly string[], rows: readonly (readonly (string | Markup)[])[]): Markup {
  if (rows.length === 0) return html`<section><h2>${title}</h2><p class="none">None.</p></section>`;
  const head = raw(heads.map((name) => html`<th scope="col">${name}</th>`));
  const lines = raw(rows.map((cells) => html`<tr>${raw(cells.map((cell) => html`<td>${cell}</td>`))}</tr>\n`));
  return html`<section><h2>${title} (${rows.length})</h2><table><thead><tr>${head}</tr></thead><tbody>
${lines}</tbody></table></section>`;
}

/** Only web addresses become links: a tracker's text must not become a script. */
function issueLink({ identifier, title, url }: { identifier: string; title: string; url: string | null }): Markup {
  const name = /^https?:\/\//i.test(url ?? "")
    ? html`<a href="${url ?? ""}" rel="noreferrer" target="_blank">${identifier}</a>`
    : html`<b>${identifier}</b>`;
  return html`${name} ${title}`;
}

const button = (label: string, path: string) =>
  html`<button type="button" data-post="/api/v1/${path}">${label}</button>`;

function problemNote(title: string, error: RunError | null): Markup {
  return error === null ? html`` : html`<p class="problem"><b>${title}.</b> ${error.code}: ${error.message}</p>`;
}

/**
 * Renews the page when the state has changed, and sends what the buttons stand for. The token comes with the address, in
 * the part that browsers do not send, and stays in this tab: a cookie would go to every other port of this machine.
 */
export const dashboardScript = `const main = document.querySelector("main");
const given = new URLSearchParams(location.hash.slice(1)).get("token");
if (given) {
  sessionStorage.setItem("token", given);
  history.replaceState(null, "", "/");
}
const token = given ?? sessionStorage.getItem("token");
const ask = (path, init = {}) => fetch(path, { ...init, headers: { ...init.headers, authorization: "Bearer " + token } });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function renew() {
  const answer = await ask("/dashboard");
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  main.replaceChildren(...page.querySelector("main").childNodes);
  document.title = "Quire orchestrator";
}
async function follow() {
  const { body, ok, status } = await ask("/api/v1/events");
  if (!ok) throw new Error(String(status));
  const reader = body.getReader();
  while (!(await reader.read()).done) {
    await renew();
    await pause(500);
  }
}
async function work() {
  for (;;) {
    await follow().catch(() => undefined);
    document.title = "Quire orchestrator (not connected)";
    await pause(2000);
  }
}
main.addEventListener("click", (event) => {
  const path = event.target.dataset?.post;
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
  if (path) ask(path, init).then(renew);
});
if (token) work();
`;

/** The look of the page: the system's colours and font. */
export const dashboardStyle = `:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.25rem; margin: 0; } h2 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
p { margin: .25rem 0; } .none { opacity: .7; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .5rem; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); overflow-wrap: break-word; }
button { white-space: nowrap; }
.problem { border-left: 3px solid #c0392b; padding-left: .5rem; }
`;
