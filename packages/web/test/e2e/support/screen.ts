import assert from "node:assert/strict";
import { eventually } from "@quire/testkit";
import type { Locator, Page } from "playwright-core";

/** A tab with the page, by the names that people and assistive tools know its parts by. */
export class Screen {
  /** What the page reported as errors. */
  readonly problems: string[] = [];
  readonly page: Page;
  readonly #cwd: string;
  readonly #ownHub: boolean;
  /** The last turn that had ended when something was sent. */
  #before: string | null = null;

  constructor(page: Page, cwd: string, ownHub: boolean) {
    this.page = page;
    this.#cwd = cwd;
    this.#ownHub = ownHub;
    page.on("pageerror", (error) => this.problems.push(error.message));
  }

  get log(): Locator {
    return this.page.getByRole("log", { name: "Conversation" });
  }

  get message(): Locator {
    return this.page.getByRole("textbox", { name: "Message", exact: true });
  }

  get threads(): Locator {
    return this.page.getByRole("navigation", { name: "Threads" });
  }

  button(name: string | RegExp): Locator {
    return typeof name === "string"
      ? this.page.getByRole("button", { name, exact: true })
      : this.page.getByRole("button", { name });
  }

  /** Text in the log. */
  said(text: string | RegExp): Locator {
    return this.log.getByText(text).first();
  }

  /** A thread in the sidebar. */
  thread(name: string | RegExp): Locator {
    return this.threads.getByRole("link", { name });
  }

  /** Goes to where a thread is begun on the server that is tested. */
  async open(): Promise<void> {
    const hub = await this.hub();
    await this.page.evaluate(goTo, `#/new/${encodeURIComponent(hub)}?cwd=${encodeURIComponent(this.#cwd)}`);
    await this.page.getByRole("heading", { name: "What should we build?" }).waitFor();
  }

  /** Begins a thread with its first message, on the server that is tested. */
  async begin(
    text: string,
    { approvals, mode }: { readonly approvals?: string; readonly mode?: string } = {},
  ): Promise<void> {
    await this.open();
    if (approvals !== undefined) await this.pick("Approvals", approvals);
    if (mode !== undefined) await this.pick("Mode", mode);
    await this.send(text);
    await this.page.waitForURL(/#\/thread\//);
  }

  /** Chooses from a picker of the composer; on a phone they are behind one button. */
  async pick(what: string, choice: string): Promise<void> {
    const options = this.button(/^Options:/);
    const isPhone = await options.isVisible();
    if (isPhone) await options.click();
    const picker = { Approvals: "Permissions", Sandbox: "Permissions", Reviewer: "Permissions", Effort: "Model" }[what];
    await this.button(new RegExp(`^${picker ?? what}:`)).click();
    await this.page.getByRole("menuitemradio", { name: new RegExp(`^${choice}`) }).click();
    if (isPhone) await this.button("Done").click();
  }

  /** Writes a message and sends it. */
  async send(text: string): Promise<void> {
    this.#before = await this.#lastTurn();
    await this.message.fill(text);
    await this.button("Send").click();
  }

  /** Waits until the server has taken what was sent: the box is empty before, but only then can more be sent. */
  async taken(): Promise<void> {
    await this.message.fill("More");
    await this.button("Send").click({ trial: true });
    await this.message.fill("");
  }

  /** Waits for the turn that was begun last to have ended. */
  async ended(word: "Done" | "Stopped" | "Failed" = "Done"): Promise<void> {
    const isThere = async (): Promise<boolean> => {
      const turn = await this.#lastTurn();
      if (turn === null || turn === this.#before) return false;
      return (await this.log.locator(`[data-turn="${turn}"]`).filter({ hasText: word }).count()) > 0;
    };
    await eventually(isThere, { what: `a turn that ended: ${word}`, timeoutMs: 45_000 });
  }

  /** Id of the last turn in view that has ended. */
  async #lastTurn(): Promise<string | null> {
    const turns = await this.page
      .locator("[data-turn]")
      .evaluateAll((all) => all.map((each) => each.getAttribute("data-turn")));
    return turns.at(-1) ?? null;
  }

  /** Id of the tested server's hub, once it is ready. */
  async hub(): Promise<string> {
    const hubs = this.threads.locator(".sidebar-hub");
    const hub = this.#ownHub ? hubs.nth(1) : hubs.first();
    await hub.locator(".sidebar-hub-name.is-ready").waitFor();
    const id = await hub.getAttribute("data-hub");
    assert.ok(id !== null);
    return id;
  }

  /** Chooses from the menu of the thread in view. */
  async choose(action: string): Promise<void> {
    await this.button("Thread actions").click();
    await this.page.getByRole("menuitem", { name: action }).click();
  }
}

/** Runs in the page. Resolves when the page has followed: until then, what is written goes into the box that it shows. */
function goTo(hash: string): Promise<void> {
  return new Promise((resolve) => {
    if (location.hash === hash) return resolve();
    addEventListener("hashchange", () => resolve(), { once: true });
    location.hash = hash;
  });
}
