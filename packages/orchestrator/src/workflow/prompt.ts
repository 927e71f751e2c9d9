import { visibleText } from "@quire/protocol";
import { Liquid, type Template } from "liquidjs";
import { type Issue, toWireIssue } from "../tracker/issue.ts";
import { WorkflowError } from "./workflow-error.ts";

/** Template of a workflow that has none of its own. */
const defaultTemplate = `You are working on {{ issue.identifier }}: {{ issue.title }}

{% if issue.description %}{{ issue.description }}{% else %}There is no description.{% endif %}

Work in the current folder. Finish the issue, check what you did, and say in a few sentences what was done.
{% if attempt %}
This is attempt {{ attempt }}: an earlier one did not come to its end. Look at what is there before you go on.
{% endif %}`;

/** Milliseconds that a prompt may take to render, and characters that it may come to: a loop in it must end. */
const limits = { renderLimit: 5000, memoryLimit: 20_000_000, parseLimit: 2_000_000 };

// Partials come from memory, where there are none: a prompt reads no files.
const engine = new Liquid({
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  templates: {},
  ...limits,
});

/** Values for a prompt. */
export interface PromptInput {
  readonly issue: Issue;
  /** 0 for the first run of an issue; templates see null then. */
  readonly attempt: number;
}

/** A workflow's prompt. */
export class PromptTemplate {
  readonly #text: string;
  #parsed: Template[] | undefined;

  /** @param body What the workflow file says; blank means the default. */
  constructor(body: string) {
    this.#text = body === "" ? defaultTemplate : body;
  }

  /** Throws where the text is no template. */
  check(): void {
    this.#parse();
  }

  /** The prompt of a run. Throws a {@link WorkflowError} for what is not known, be it a variable or a filter. */
  render({ issue, attempt }: PromptInput): string {
    const template = this.#parse();
    try {
      const scope = { issue: readable(toWireIssue(issue)), attempt: attempt === 0 ? null : attempt };
      return String(engine.renderSync(template, scope)).trim();
    } catch (error) {
      throw failure("template_render_error", "The prompt cannot be rendered", error);
    }
  }

  #parse(): Template[] {
    try {
      this.#parsed ??= engine.parse(this.#text);
      return this.#parsed;
    } catch (error) {
      throw failure("template_parse_error", "The prompt is not a valid Liquid template", error);
    }
  }
}

/**
 * Texts as a person reads them in the tracker. Characters that nobody sees would reach the agent alone, and tell it what
 * the person who let it begin has not read.
 */
function readable(value: unknown): unknown {
  if (typeof value === "string") return visibleText(value, { prose: true });
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, readable(each)]));
}

/** Prompt for further turns of a run. The agent knows the issue from the first one. */
export function continuationPrompt(issue: Issue, turn: number, maxTurns: number): string {
  return [
    `${readable(issue.identifier)} is still in the state "${readable(issue.state)}", so there is more to do.`,
    "Go on from where you are; what was said before still holds, and what is done need not be done again.",
    `If you are done, bring the issue into the state that says so. This is turn ${turn} of at most ${maxTurns}.`,
  ].join("\n");
}

function failure(code: "template_parse_error" | "template_render_error", what: string, error: unknown): WorkflowError {
  return new WorkflowError(code, `${what}: ${(error as Error).message}`, { cause: error });
}
