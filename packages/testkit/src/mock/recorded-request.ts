/** An entry of a model request's `input`. */
export interface InputItem {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly call_id?: string;
  readonly output?: unknown;
  readonly [field: string]: unknown;
}

/** An entry of a model request's `tools`; a namespace holds tools of its own. */
export interface ToolSpec {
  readonly type: string;
  readonly name?: string;
  readonly tools?: readonly ToolSpec[];
  readonly [field: string]: unknown;
}

/** The parsed body of `POST /v1/responses`, or another API's request in the same terms. */
export interface ModelRequestBody {
  readonly model: string;
  readonly input: readonly InputItem[];
  readonly tools?: readonly ToolSpec[];
  readonly instructions?: string;
  readonly [field: string]: unknown;
}

/** HTTP headers under their lower-case names. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** End of a response: all of it was sent (also a scripted error or cut), or the client disconnected before. */
export type RequestEnd = "sent" | "aborted";

/** A request to the model, with accessors for what tests look at. */
export class RecordedRequest {
  /** Place in `mock.requests`. */
  readonly index: number;
  readonly headers: RequestHeaders;
  /** The request in the terms of the Responses API, whatever API the mock has. */
  readonly body: ModelRequestBody;
  /** The body as it was sent. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** Settles when the answer has ended; `aborted` is what an interrupted turn must lead to. */
  readonly ended: Promise<RequestEnd>;

  constructor(
    index: number,
    sent: { readonly headers: RequestHeaders; readonly body: Readonly<Record<string, unknown>> },
    body: ModelRequestBody,
    ended: Promise<RequestEnd>,
  ) {
    this.index = index;
    this.headers = sent.headers;
    this.sent = sent.body;
    this.body = body;
    this.ended = ended;
  }

  /** All text of the messages, each on lines of its own; of one role if given. */
  inputText(role?: string): string {
    return this.messages(role).join("\n");
  }

  /** The text of each message, oldest first; of one role if given. */
  messages(role?: string): string[] {
    return this.body.input
      .filter((item) => item.role !== undefined && (role === undefined || item.role === role))
      .map((item) => textOf(item.content));
  }

  /** The user's last message. */
  get lastUserText(): string {
    return this.messages("user").at(-1) ?? "";
  }

  /** Names of the tools on offer: hosted ones by their type, those of a namespace as `namespace.name`. */
  tools(): string[] {
    return (this.body.tools ?? []).flatMap((tool) =>
      tool.tools ? tool.tools.map((inner) => `${tool.name}.${toolName(inner)}`) : [toolName(tool)],
    );
  }

  /** The full offer of one tool, under the name by which {@link RecordedRequest.tools} lists it. */
  tool(name: string): ToolSpec | undefined {
    const all = (this.body.tools ?? []).flatMap((tool) =>
      tool.tools
        ? tool.tools.map((inner) => [`${tool.name}.${toolName(inner)}`, inner] as const)
        : [[toolName(tool), tool] as const],
    );
    return all.find(([known]) => known === name)?.[1];
  }

  /** Output of a call as text; `undefined` if this request holds none. */
  functionOutput(callId: string): string | undefined {
    const item = this.body.input.find((item) => item.call_id === callId && item.output !== undefined);
    return item && textOf(item.output);
  }

  /** The outputs of all calls in the order in which the model gets them. */
  functionOutputs(): { callId: string; output: string }[] {
    return this.body.input.flatMap((item) =>
      item.call_id !== undefined && item.output !== undefined
        ? [{ callId: item.call_id, output: textOf(item.output) }]
        : [],
    );
  }
}

function toolName(tool: ToolSpec): string {
  return tool.name ?? tool.type;
}

/** Text of a content: a string, a list of parts, or (older clients) an object with `content`. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(textOf).join("");
  if (typeof content !== "object" || content === null) return "";
  if ("text" in content) return textOf(content.text);
  return "content" in content ? textOf(content.content) : "";
}
