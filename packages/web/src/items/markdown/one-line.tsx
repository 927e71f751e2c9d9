import { Lexer, type MarkedToken, type Token } from "marked";
import { type ReactNode, useMemo } from "react";
import { Inline } from "./inline.tsx";

/**
 * A line of markdown as part of a control: with emphasis and code, without links and pictures, which a button cannot
 * hold. Emphasis around the whole line, or not closed yet, is left out.
 */
export function OneLine({ text }: { readonly text: string }): ReactNode {
  const tokens = useMemo(() => lexLine(text), [text]);
  return <Inline tokens={tokens} />;
}

function lexLine(text: string): readonly Token[] {
  const line = withoutOpenMark(text.trim().replace(/^#{1,6}\s+/, ""));
  try {
    const tokens = flat(Lexer.lexInline(line, { gfm: true }) as MarkedToken[]);
    const [only] = tokens;
    return tokens.length === 1 && only?.type === "strong" ? flat((only.tokens ?? []) as MarkedToken[]) : tokens;
  } catch {
    return [{ type: "text", raw: line, text: line }];
  }
}

/** While it is written, or where it is cut, the last mark may have no other to close it. */
const withoutOpenMark = (line: string): string =>
  line.split("**").length % 2 === 1 ? line : line.replace(/\*\*(?!.*\*\*)/, "");

function flat(tokens: readonly MarkedToken[]): readonly Token[] {
  return tokens.flatMap((token): readonly Token[] => {
    if (token.type === "link") return flat(token.tokens as MarkedToken[]);
    if (token.type === "image") return [{ type: "text", raw: token.text, text: token.text }];
    if (token.type === "strong" || token.type === "em" || token.type === "del") {
      return [{ ...token, tokens: [...flat(token.tokens as MarkedToken[])] }];
    }
    return [token];
  });
}
