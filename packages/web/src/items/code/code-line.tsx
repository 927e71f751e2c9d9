import { memo, useState } from "react";
import { classNames } from "../../ui/class-names.ts";
import { Visible } from "../../ui/visible.tsx";
import { plural } from "../format.ts";
import { type CodeTokens, tokenKinds } from "./token-kinds.ts";

/** Characters of a line that are shown before the rest is asked for. */
const maxShown = 4000;

/** A stretch of a line, `[from, to)`, that is marked. */
export type Mark = readonly [from: number, to: number];

interface CodeLineProps {
  readonly text: string;
  readonly tokens: CodeTokens | undefined;
  readonly mark?: Mark | null | undefined;
}

/** A line of code, highlighted as far as its tokens are known. A very long one says how much of it is left out. */
export const CodeLine = memo(function CodeLine({ text, tokens, mark = null }: CodeLineProps) {
  const [all, showAll] = useState(false);
  const shown = all ? text : text.slice(0, maxShown);
  const left = text.length - shown.length;
  return (
    <>
      {tokens === undefined && mark === null ? (
        <Visible text={shown} />
      ) : (
        coloured(shown, tokens ?? [text.length, 0], mark)
      )}
      {left > 0 && (
        <button type="button" className="code-rest" onClick={() => showAll(true)}>
          … {plural(left, "more character")}
        </button>
      )}
    </>
  );
});

function coloured(text: string, tokens: CodeTokens, mark: Mark | null) {
  return pieces(text, tokens, mark).map(({ from, to, kind, marked }) => (
    <span key={from} className={classNames(kind > 0 && `code-${tokenKinds[kind]}`, marked && "code-mark") || undefined}>
      <Visible text={text.slice(from, to)} />
    </span>
  ));
}

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly kind: number;
  readonly marked: boolean;
}

function pieces(text: string, tokens: CodeTokens, mark: Mark | null): Piece[] {
  const [markFrom, markTo] = mark ?? [0, 0];
  const result: Piece[] = [];
  let from = 0;
  const push = (to: number, kind: number): void => {
    const cuts = [markFrom, markTo].filter((cut) => cut > from && cut < to);
    for (const end of [...cuts, to]) {
      result.push({ from, to: end, kind, marked: from >= markFrom && end <= markTo && markTo > markFrom });
      from = end;
    }
  };
  for (let at = 0; at + 1 < tokens.length && from < text.length; at += 2) {
    const end = Math.min(text.length, from + (tokens[at] ?? 0));
    if (end > from) push(end, tokens[at + 1] ?? 0);
  }
  if (from < text.length) push(text.length, 0);
  return result;
}
