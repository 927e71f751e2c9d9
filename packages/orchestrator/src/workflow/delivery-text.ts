import { visibleText } from "@quire/protocol";
import { Liquid } from "liquidjs";
import { type Issue, toWireIssue } from "../tracker/issue.ts";

const defaults = {
  commit: "{{ issue.identifier }}: {{ issue.title }}",
  title: "{{ issue.identifier }}: {{ issue.title }}",
  body: `## What

{{ summary | default: "The agent said nothing of it." }}

## Why

{{ issue.identifier }}: {{ issue.title }}{% if issue.url %}
{{ issue.url }}{% endif %}

## How it was checked

{% if checks %}{{ checks }}{% else %}See the checks of this pull request.{% endif %}

## Cost

{{ runs }} {% if runs == 1 %}run{% else %}runs{% endif %}, {{ turns }} {% if turns == 1 %}turn{% else %}turns{% endif %}, {{ tokens }} tokens{% if usd %}, {{ usd }} US dollars{% endif %}
`,
};

/** Templates of what is written for others; undefined: the default. */
export interface DeliveryTemplates {
  readonly commit: string | undefined;
  readonly title: string | undefined;
  readonly body: string | undefined;
}

/** Values for the templates. */
export interface DeliveryFacts {
  readonly issue: Issue;
  /** The agent's last words. */
  readonly summary: string | null;
  readonly runs: number;
  readonly turns: number;
  readonly tokens: number;
  /** US dollars; null where nobody knows the prices. */
  readonly usd: number | null;
}

const engine = new Liquid({
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  templates: {},
  renderLimit: 5000,
  memoryLimit: 20_000_000,
  parseLimit: 2_000_000,
});

/** Longest title and body that forges take. */
const maxTitle = 200;
const maxBody = 60_000;

/** The words of commits and pull requests. */
export class DeliveryText {
  readonly #templates: typeof defaults;

  constructor({ commit, title, body }: DeliveryTemplates) {
    this.#templates = {
      commit: commit ?? defaults.commit,
      title: title ?? defaults.title,
      body: body ?? defaults.body,
    };
  }

  commit(facts: DeliveryFacts): string {
    return this.#render("commit", facts);
  }

  /** Title of the pull request, on a single line. */
  title(facts: DeliveryFacts): string {
    return visibleText(this.#render("title", facts), { oneLine: true }).slice(0, maxTitle);
  }

  body(facts: DeliveryFacts): string {
    return visibleText(this.#render("body", facts), { prose: true }).slice(0, maxBody);
  }

  #render(name: keyof typeof defaults, { issue, usd, ...facts }: DeliveryFacts): string {
    const text = engine.parseAndRenderSync(this.#templates[name], {
      issue: toWireIssue(issue),
      checks: null,
      usd: usd == null ? null : usd.toFixed(2),
      ...facts,
    });
    return String(text).trim();
  }
}
