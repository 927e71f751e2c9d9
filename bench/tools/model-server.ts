/**
 * A model without latency, in a process of its own, that calls tools. The last user message says what: `apart N` for N
 * commands, one in each response; `together N` for N in one response; `add N` and `update N` for a patch over N files.
 * A call that failed is answered with an HTTP error, so that its turn fails. Prints its base URL.
 */
import { responseStream, serveModel } from "../model-stream.ts";

interface Item {
  readonly type: string;
  readonly role?: string;
  readonly output?: unknown;
  readonly content?: readonly { readonly text?: string }[];
}

let ids = 0;

serveModel<Item>((input) => {
  const from = input.findLastIndex(({ role }) => role === "user");
  const outputs = input
    .slice(from)
    .filter(({ type }) => type === "function_call_output")
    .map(({ output }) => JSON.stringify(output));
  const failed = outputs.find((output) => !/exited with code 0|Exit code: 0|Success/.test(output));
  if (failed !== undefined) {
    return new Response(JSON.stringify({ error: { message: `a call failed: ${failed}` } }), { status: 400 });
  }
  const [, what = "", count = "0"] =
    /(apart|together|add|update) (\d+)/.exec(input[from]?.content?.at(-1)?.text ?? "") ?? [];
  return reply(next(what, Number(count), outputs.length));
});

/** The commands of the next response; none where all was done. */
function next(what: string, count: number, done: number): string[] {
  if (what === "apart") return done < count ? ["true"] : [];
  if (done > 0 || what === "") return [];
  if (what === "together") return Array.from({ length: count }, () => "true");
  const body = Array.from({ length: count }, (_, n) => change(what, n)).join("\n");
  return [`apply_patch <<'END'\n*** Begin Patch\n${body}\n*** End Patch\nEND\n`];
}

function change(what: string, n: number): string {
  const lines = Array.from({ length: 20 }, (_, line) => `line ${line} of file ${n}`);
  if (what === "add") return [`*** Add File: files/${n}.txt`, ...lines.map((line) => `+${line}`)].join("\n");
  return [
    `*** Update File: files/${n}.txt`,
    "@@",
    ` ${lines[9]}`,
    `-${lines[10]}`,
    `+changed in file ${n}`,
    ` ${lines[11]}`,
  ].join("\n");
}

function reply(calls: readonly string[]): string {
  const text = {
    type: "message",
    id: `msg_${++ids}`,
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "done", annotations: [] }],
  };
  const items = calls.map((cmd) => {
    const id = ++ids;
    return {
      type: "function_call",
      id: `fc_${id}`,
      call_id: `call_${id}`,
      name: "exec_command",
      arguments: JSON.stringify({ cmd }),
      status: "completed",
    };
  });
  const output = items.length > 0 ? items : [text];
  return responseStream(
    `resp_${++ids}`,
    output.flatMap((item, index) => [
      { type: "response.output_item.added", output_index: index, item },
      { type: "response.output_item.done", output_index: index, item },
    ]),
  );
}
