import type { InputItem } from "@quire/testkit";
import type { Stage } from "./stage.ts";

/** Texts in model requests are cut to about this length: prompts are long and the same each time. */
const textLength = 600;

/** Everything that happened, one JSON object on a line, for somebody who wants to know why a scenario differs. */
export function trace(stage: Stage): string {
  const [first] = stage.log;
  const began = first?.at ?? 0;
  const said = stage.log.map(({ at, peer, by, message }) => ({
    at,
    line: { ms: Math.round(at - began), [by === "client" ? `${peer} > server` : `server > ${peer}`]: message },
  }));
  let before: readonly InputItem[] = [];
  const asked = [...stage.asked].map(([{ index, body }, at]) => {
    const { input, tools = [], ...rest } = body;
    const same = input.findIndex((item, place) => JSON.stringify(item) !== JSON.stringify(before[place]));
    before = input;
    const added = same > 0 ? [`${same} as before`, ...input.slice(same)] : input;
    const offered = index === 0 ? tools : tools.map((tool) => tool.name ?? tool.type);
    return { at, line: { ms: Math.round(at - began), model: index, ...(cut({ ...rest, added, offered }) as object) } };
  });
  const lines = [...said, ...asked].sort((one, other) => one.at - other.at);
  return `${lines.map(({ line }) => JSON.stringify(line)).join("\n")}\n`
    .replaceAll(stage.home, "$HOME")
    .replaceAll(stage.cwd, "$CWD");
}

function cut(value: unknown): unknown {
  if (typeof value === "string")
    return value.length > textLength ? `${value.slice(0, textLength)}… (${value.length})` : value;
  if (Array.isArray(value)) return value.map(cut);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([key]) => key !== "description");
  return Object.fromEntries(fields.map(([key, field]) => [key, cut(field)]));
}
