import type { EventListener, Logger, OrchestratorEvent } from "../events/events.ts";
import { boundedFetch } from "../trackers/remote/bounded-fetch.ts";
import type { NotifyConfig, Occasion } from "../workflow/notify-config.ts";

/** Notices that wait to be sent; more are left out, with a line in the log. */
const maxWaiting = 100;

/** Something that people are told of. */
interface Notice {
  readonly event: Occasion;
  readonly issue: { readonly identifier: string; readonly title: string; readonly url: string | null } | null;
  readonly text: string;
  readonly link: string | null;
}

/** Tells people of what needs them or is done, by a webhook. One that fails is logged, and holds nothing up. */
export class Notifier {
  readonly #config: () => NotifyConfig | null;
  readonly #log: Logger;
  #waiting: Notice[] = [];
  #sending: Promise<void> | undefined;

  constructor(config: () => NotifyConfig | null, log: Logger) {
    this.#config = config;
    this.#log = log;
  }

  /** Hears events. */
  readonly listener: EventListener = (event) => {
    const notice = noticeOf(event);
    if (notice === undefined || !this.#config()?.on.includes(notice.event)) return;
    if (this.#waiting.length >= maxWaiting) return this.#log("warn", "a notice was left out: too many wait");
    this.#waiting.push(notice);
    this.#sending ??= this.#send();
  };

  /** Resolves when all was sent. */
  async settled(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    for (let notice = this.#waiting.shift(); notice !== undefined; notice = this.#waiting.shift()) {
      const config = this.#config();
      if (config === null) continue;
      try {
        const { status } = await boundedFetch({
          method: "POST",
          url: config.url,
          headers: { "content-type": "application/json", "user-agent": "quire-orchestrator" },
          body: JSON.stringify(config.format === "slack" ? { text: slackText(notice) } : notice),
        });
        if (status < 200 || status >= 300) throw new Error(`it answered ${status}: check notify.url`);
      } catch (error) {
        this.#log("warn", `a notice could not be sent: ${(error as Error).message}`, { event: notice.event });
      }
    }
    this.#sending = undefined;
  }
}

function noticeOf(event: OrchestratorEvent): Notice | undefined {
  switch (event.type) {
    case "issue.blocked": {
      const name = event.reason.code === "over_budget" ? "over_budget" : "blocked";
      return { event: name, issue: named(event), text: event.reason.message, link: event.url };
    }
    case "issue.finished": {
      const { reason, state } = event.issue;
      if (reason === "gave_up")
        return {
          event: "gave_up",
          issue: named(event.issue),
          text: event.issue.error?.message ?? "It failed again and again",
          link: event.issue.url,
        };
      return reason === "terminal"
        ? { event: "finished", issue: named(event.issue), text: `It is ${state}`, link: event.issue.url }
        : undefined;
    }
    case "issue.delivered":
      return {
        event: "delivered",
        issue: named(event),
        text: `Its pull request is ${event.state}`,
        link: event.pullUrl,
      };
    case "paused":
      return { event: "over_budget", issue: null, text: `Paused: ${event.reason}`, link: null };
    default:
      return undefined;
  }
}

const named = ({ identifier, title, url }: NonNullable<Notice["issue"]>) => ({ identifier, title, url });

/** Words in Slack's format, in which a title from a tracker can neither mention people nor make links. */
function slackText({ issue, text, link }: Notice): string {
  const plain = (words: string) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const about = issue ? `*${plain(issue.identifier)}* ${plain(issue.title)}: ` : "";
  return `${about}${plain(text)}${link === null ? "" : ` ${plain(link)}`}`;
}
