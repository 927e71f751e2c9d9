import type { CSSProperties } from "react";
import { classNames } from "../../ui/class-names.ts";
import { itemWords } from "../../words/words.ts";
import { formatNumber } from "../format.ts";
import type { OutputLine } from "./output-index.ts";
import { type AnsiColour, type AnsiStyle, plainStyle } from "./style.ts";

/** A line of output with its colours. */
export function AnsiLine({ line }: { readonly line: OutputLine }) {
  return (
    <>
      {line.spans.map(({ text, style }, index) =>
        style === plainStyle ? (
          text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line have no other name
          <span key={index} className={classOf(style)} style={styleOf(style)}>
            {text}
          </span>
        ),
      )}
      {line.hidden > 0 && (
        <span className="ansi-hidden">
          {" "}
          … {formatNumber(line.hidden)} {itemWords.moreCharacters}
        </span>
      )}
    </>
  );
}

const names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

function classOf(style: AnsiStyle): string {
  const [fg, bg] = style.inverse ? [style.bg, style.fg] : [style.fg, style.bg];
  return classNames(
    fg !== null && `ansi-fg ${colourClass("fg", fg)}`,
    bg !== null && `ansi-bg ${colourClass("bg", bg)}`,
    style.inverse && bg === null && "ansi-inverse",
    style.bold && "ansi-bold",
    style.dim && "ansi-dim",
    style.italic && "ansi-italic",
    style.underline && "ansi-underline",
    style.strike && "ansi-strike",
  );
}

function colourClass(side: "fg" | "bg", colour: AnsiColour): string {
  if (typeof colour === "string") return `ansi-${side}-any`;
  return `ansi-${side}-${colour >= 8 ? "bright-" : ""}${names[colour % 8]}`;
}

/** Colours beyond the sixteen are handed to the style sheet, which keeps them readable in either theme. */
function styleOf({ fg, bg, inverse }: AnsiStyle): CSSProperties | undefined {
  const [front, back] = inverse ? [bg, fg] : [fg, bg];
  if (typeof front !== "string" && typeof back !== "string") return undefined;
  return {
    ...(typeof front === "string" && { "--ansi-any-fg": front }),
    ...(typeof back === "string" && { "--ansi-any-bg": back }),
  } as CSSProperties;
}
