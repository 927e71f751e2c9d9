import type { FunctionCallOutputBody, ResponseItem } from "@quire/protocol";
import { parseJson } from "../../lib/bounded-json.ts";
import { isTable, type Table } from "../../lib/table.ts";
import type { ToolSpec } from "../model-provider.ts";
import { argumentsOfText, FreeTextStream, inputName, textOfArguments } from "./free-text.ts";
import { LegalNames } from "./legal-names.ts";
import { repairObject } from "./repair-json.ts";

/** A tool as every provider takes it: a function with a legal name. */
export interface PlainFunction {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Table;
  readonly strict: boolean;
}

/** A call of a {@link PlainFunction}. */
export interface PlainCall {
  /** The item's id at the provider, if it has one. */
  readonly id?: string | undefined;
  readonly callId: string;
  readonly name: string;
  readonly arguments: string;
}

/** A call whose arguments still stream. */
export interface OpenCall {
  /** The call as it is announced. */
  readonly item: ResponseItem;
  /** Takes a piece of the arguments. Returns the further text of a tool with free text, else nothing. */
  delta(piece: string): string;
  /** The complete call. */
  end(args: string): ResponseItem;
}

/** A tool's own name and kind. */
interface RealTool {
  readonly kind: "function" | "custom" | "search";
  readonly namespace: string | null;
  readonly name: string;
}

/** Further input of {@link PlainTools}. */
export interface PlainToolsOptions {
  /** The history: tools that a search has found are in it. */
  readonly input?: readonly ResponseItem[];
  /** Types of the hosted tools that the provider has. Default: none. */
  readonly hosted?: ReadonlySet<string>;
}

const searchTool: RealTool = { kind: "search", namespace: null, name: "tool_search" };

/**
 * The tools of a request as plain functions, for providers without namespaces, free text and hosted tools; and calls of
 * them, there and back. Tools keep their order; those that a search has found are last.
 */
export class PlainTools {
  readonly functions: readonly PlainFunction[];
  /** Hosted tools that the provider has, unchanged. */
  readonly hosted: readonly ToolSpec[];
  readonly #names = new LegalNames();
  readonly #byName = new Map<string, RealTool>();

  constructor(specs: readonly ToolSpec[], { input = [], hosted = new Set() }: PlainToolsOptions = {}) {
    const found = input.flatMap((item) => (item.type === "tool_search_output" ? item.tools.filter(isSpec) : []));
    this.functions = [...specs, ...found].flatMap((spec) => this.#plain(spec));
    this.hosted = specs.filter(({ type }) => hosted.has(type));
  }

  /** The call that an item of the history makes; `undefined` where it makes none. */
  callOf(item: ResponseItem): PlainCall | undefined {
    switch (item.type) {
      case "function_call":
        return { ...this.#called(item), arguments: objectText(item.arguments) };
      case "custom_tool_call":
        return { ...this.#called(item), arguments: argumentsOfText(item.input) };
      case "tool_search_call": {
        if (item.execution !== "client" || !item.call_id) return undefined;
        const call = { name: searchTool.name, call_id: item.call_id };
        return { ...this.#called(call), arguments: JSON.stringify(item.arguments ?? {}) };
      }
      case "local_shell_call": {
        if (!item.call_id) return undefined;
        const call = { name: "local_shell", call_id: item.call_id };
        return { ...this.#called(call), arguments: JSON.stringify(item.action) };
      }
      default:
        return undefined;
    }
  }

  /** The item for a call by the model, under the tool's own name. */
  itemOf(call: PlainCall): ResponseItem {
    const { kind, namespace, name } = this.#real(call.name);
    const ids = { ...(call.id !== undefined && { id: call.id }), call_id: call.callId };
    const names = { name, ...(namespace !== null && { namespace }) };
    if (kind === "custom") {
      return { type: "custom_tool_call", ...ids, ...names, input: textOfArguments(call.arguments) };
    }
    if (kind === "search") {
      return { type: "tool_search_call", ...ids, execution: "client", arguments: parsedOr(call.arguments) };
    }
    return { type: "function_call", ...ids, ...names, arguments: meantArguments(call.arguments) };
  }

  /** Begins a call whose arguments stream. */
  open(call: Omit<PlainCall, "arguments">): OpenCall {
    const { kind } = this.#real(call.name);
    const text = kind === "custom" ? new FreeTextStream() : undefined;
    return {
      item: this.itemOf({ ...call, arguments: "" }),
      delta: (piece) => text?.push(piece) ?? "",
      end: (args) => this.itemOf({ ...call, arguments: args }),
    };
  }

  #plain(spec: ToolSpec, group: ToolSpec | null = null): PlainFunction[] {
    const name = textOr(spec.name);
    if (spec.type === "namespace" && Array.isArray(spec.tools)) {
      const inside = spec.tools.filter(isSpec).flatMap((tool) => this.#plain(tool, spec));
      return withRemark(inside, textOr(spec.description));
    }
    if (spec.type === "tool_search" && spec.execution === "client") return this.#offer(searchTool, spec);
    if (name === "" || (spec.type !== "function" && spec.type !== "custom")) return [];
    return this.#offer({ kind: spec.type, namespace: group === null ? null : textOr(group.name), name }, spec);
  }

  #offer(tool: RealTool, spec: ToolSpec): PlainFunction[] {
    const name = this.#names.of(tool.namespace, tool.name);
    if (this.#byName.has(name)) return [];
    this.#byName.set(name, tool);
    const parameters = tool.kind === "custom" ? freeTextParameters(spec) : objectSchema(spec.parameters);
    return [{ name, description: textOr(spec.description), parameters, strict: spec.strict === true }];
  }

  #called(item: { id?: string | null; call_id: string; namespace?: string | null; name: string }) {
    return {
      ...(item.id && { id: item.id }),
      callId: item.call_id,
      name: this.#names.of(item.namespace ?? null, item.name),
    };
  }

  /** The tool of a name. Weak models leave namespaces away, or write them in another way. */
  #real(name: string): RealTool {
    const known = this.#byName.get(name);
    if (known) return known;
    const bare = name.replace(/^functions[._/]+/, "").replace(/[./]|::/g, "__");
    const meant = this.#byName.get(bare);
    if (meant) return meant;
    const namesakes = [...this.#byName.values()].filter((tool) => tool.name === name || tool.name === bare);
    const [only, ...others] = namesakes;
    return only && others.length === 0 ? only : { kind: "function", namespace: null, name };
  }
}

/** The call that an item answers, and the output; `undefined` where it answers none. */
export function plainOutput(item: ResponseItem): { callId: string; output: FunctionCallOutputBody } | undefined {
  if (item.type === "tool_search_output") {
    const names = item.tools
      .filter(isSpec)
      .flatMap(({ name, tools }) =>
        Array.isArray(tools) ? tools.filter(isSpec).map((tool) => textOr(tool.name)) : [textOr(name)],
      );
    const output = names.length === 0 ? "No tools found." : `Found, and now among the tools: ${names.join(", ")}`;
    return { callId: item.call_id ?? "", output };
  }
  const answers = item.type === "function_call_output" || item.type === "custom_tool_call_output";
  return answers ? { callId: item.call_id ?? "", output: item.output } : undefined;
}

/** Puts the description of a namespace into its first tool: there is no other place for it. */
function withRemark(functions: readonly PlainFunction[], remark: string): PlainFunction[] {
  const [first, ...others] = functions;
  if (first === undefined || remark === "") return [...functions];
  return [
    { ...first, description: `${first.description}\n\nThis and the tools that go with it: ${remark}`.trim() },
    ...others,
  ];
}

function freeTextParameters({ format }: ToolSpec): Table {
  const grammar = isTable(format) && typeof format.definition === "string" ? format.definition : undefined;
  const description = grammar === undefined ? "The whole text." : `The whole text, by this grammar:\n${grammar}`;
  return {
    type: "object",
    properties: { [inputName]: { type: "string", description } },
    required: [inputName],
    additionalProperties: false,
  };
}

/** Providers refuse parameters that are no object, or one without properties. */
function objectSchema(parameters: unknown): Table {
  const given = isTable(parameters) ? parameters : {};
  return { ...given, type: "object", properties: isTable(given.properties) ? given.properties : {} };
}

function isSpec(value: unknown): value is ToolSpec {
  return isTable(value) && typeof value.type === "string";
}

/** Arguments as providers take them back; a model may have written something else. */
function objectText(args: string): string {
  return isTable(parsedOr(args)) ? args : argumentsOfText(args);
}

/** Arguments as the model meant them; those that cannot be read go back to it with the reason. */
function meantArguments(args: string): string {
  const parsed = parsedOr(args);
  if (isTable(parsed)) return args;
  // Models without parameters to fill in say nothing at all.
  if (args.trim() === "") return "{}";
  const text = typeof parsed === "string" ? parsed : args;
  return isTable(parsedOr(text)) ? text : (repairObject(text) ?? args);
}

function parsedOr(args: string): unknown {
  try {
    return parseJson(args);
  } catch {
    return args;
  }
}

const textOr = (value: unknown): string => (typeof value === "string" ? value : "");
