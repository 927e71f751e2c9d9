/** The page in Chromium: a long thread, a fast stream, and what a first visit loads. */
import process from "node:process";
import { startGateway } from "@quire/gateway";
import { chromiumPath } from "@quire/testkit";
import { loadPage } from "@quire/web";
import { type Browser, chromium, type Page } from "playwright-core";
import { report } from "../figures.ts";
import { median } from "../stats.ts";
import { deltas, longHub, size } from "./hub.ts";

const rounds = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 3);
const items = size.turns * size.itemsPerTurn;

interface Sample {
  readonly openMs: number;
  readonly frameMs: number;
  readonly taskMs: number;
  readonly streamMs: number;
  readonly grownMb: number;
  readonly scriptKb: number;
}

await using gateway = startGateway({ page: loadPage, discovery: false, embedded: { dial: longHub } });
await gateway.ready();
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const samples: Sample[] = [];
for (let round = 0; round < rounds; round++) samples.push(await sample(browser));
await browser.close();
const of = (figure: (sample: Sample) => number): number => median(samples.map(figure));

const [openMs, frameMs, taskMs] = [of((each) => each.openMs), of((each) => each.frameMs), of((each) => each.taskMs)];
const [grownMb, scriptKb] = [of((each) => each.grownMb), of((each) => each.scriptKb)];
const count = items.toLocaleString("en");
report({
  name: "web",
  about: `The page in headless Chromium, without a graphics card, over the gateway. The long thread has ${count} items with 10 MB of text and comes in one piece.`,
  comparisons: [
    {
      ...{ title: `A thread of ${count} items: click to first content`, count: items, times: { quire: openMs } },
      ...{ goal: "under 1,000 ms", met: openMs < 1000 },
    },
    {
      ...{ title: "Scrolling through it: frame at the 95th percentile", count: 1, times: { quire: frameMs } },
      ...{ goal: "at most 50 ms", met: frameMs <= 50 },
    },
    {
      title: `A stream of ${deltas.toLocaleString("en")} deltas: tasks of the main thread over 50 ms, 95th percentile`,
      ...{ count: 1, times: { quire: taskMs } },
      ...{ goal: "at most 100 ms", met: taskMs <= 100 },
    },
    {
      ...{
        title: "That stream, from the message to its end",
        count: deltas,
        times: { quire: of((each) => each.streamMs) },
      },
      ...{ goal: "none; the server sends 20 every 5 ms", met: true },
    },
    {
      ...{ title: "Memory that the stream left behind", count: 1, unit: "MB", times: { quire: grownMb } },
      ...{ goal: "at most 30 MB", met: grownMb <= 30 },
    },
    {
      ...{ title: "Script of a first visit, gzipped", count: 1, unit: "kB", times: { quire: scriptKb } },
      ...{ goal: "at most 350 kB", met: scriptKb <= 350 },
    },
  ],
});
process.exit();

async function sample(browser: Browser): Promise<Sample> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const scripts: Promise<number>[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith(".js"))
      scripts.push(response.body().then((body) => Bun.gzipSync(new Uint8Array(body)).length));
  });
  await page.goto(gateway.url);
  await page.getByRole("link", { name: /The long thread/ }).waitFor();
  const first = await Promise.all(scripts);
  const stream = await streaming(page);
  const openMs = await opening(page);
  const frameMs = await scrolling(page);
  await context.close();
  return { ...stream, openMs, frameMs, scriptKb: first.reduce((sum, each) => sum + each, 0) / 1000 };
}

/** From the click until something of the thread is in the log, as the page itself sees it. */
function opening(page: Page): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    const link = [...document.querySelectorAll("nav a")].find((each) => each.textContent.includes("The long thread"));
    const began = performance.now();
    link.click();
    const look = () => {
      const log = document.querySelector("[role=log]");
      if (log !== null && log.textContent.includes("of turn ${size.turns - 1}")) resolve(performance.now() - began);
      else requestAnimationFrame(look);
    };
    look();
  })`);
}

/** Up through the thread, 600 px a frame. */
async function scrolling(page: Page): Promise<number> {
  const frames = await page.evaluate<number[]>(`new Promise((resolve) => {
    const log = document.querySelector("[role=log]");
    const frames = [];
    let last = performance.now();
    const step = (now) => {
      frames.push(now - last);
      last = now;
      log.scrollTop -= 600;
      if (frames.length < 300) requestAnimationFrame(step);
      else resolve(frames.slice(1));
    };
    requestAnimationFrame(step);
  })`);
  return percentile95(frames);
}

async function streaming(page: Page): Promise<Pick<Sample, "taskMs" | "streamMs" | "grownMb">> {
  await page.getByRole("link", { name: /The stream thread/ }).click();
  const message = page.getByRole("textbox", { name: "Message" });
  await message.fill("Talk.");
  const before = await heapMb(page);
  await page.evaluate(`window.tasks = [];
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ entryTypes: ["longtask"] })`);
  const began = performance.now();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.locator(".thread-divider").filter({ hasText: "Done" }).waitFor();
  const streamMs = performance.now() - began;
  const tasks = await page.evaluate<number[]>("window.tasks");
  return { taskMs: percentile95(tasks), streamMs, grownMb: (await heapMb(page)) - before };
}

/** Heap in use after a collection. */
async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 2 ** 20;
}

function percentile95(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)] ?? 0;
}
