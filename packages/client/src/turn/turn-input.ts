import type { UserInput } from "@quire/protocol";

/** An input item in a form that is easy to write: the wire's own, less what can be filled in. */
export type InputItem = UserInput | { readonly type: "text"; readonly text: string };

/** The input of a turn: a text, one item, or several. */
export type TurnInput = string | InputItem | readonly InputItem[];

/** The wire's form. */
export function toUserInput(input: TurnInput): UserInput[] {
  if (typeof input === "string") return [{ type: "text", text: input, text_elements: [] }];
  const items = Array.isArray(input) ? (input as readonly InputItem[]) : [input as InputItem];
  return items.map((item) => (item.type === "text" ? { text_elements: [], ...item } : item) as UserInput);
}
