import type { MarkedToken, Token, Tokens } from "marked";
import { memo, type ReactNode } from "react";
import { itemWords } from "../../words/words.ts";
import { CodeBlock } from "../code/code-block.tsx";
import { Inline } from "./inline.tsx";

/** Blocks within blocks are shown up to this depth, deeper ones as they are written. */
const maxDepth = 12;

interface BlockProps {
  readonly token: Token;
  readonly live: boolean;
  /** Under which key its folds are remembered. */
  readonly foldKey: string;
  readonly depth?: number | undefined;
}

/** A block of markdown. Rendered again only when its text changed, so a growing text costs its last block. */
const Block = memo(
  function Block({ token, live, foldKey, depth = 0 }: BlockProps) {
    return block(token as MarkedToken, { live, foldKey, depth });
  },
  (before, after) =>
    before.token.raw === after.token.raw &&
    before.token.type === after.token.type &&
    before.live === after.live &&
    before.foldKey === after.foldKey,
);

interface Place {
  readonly live: boolean;
  readonly foldKey: string;
  readonly depth: number;
}

function block(token: MarkedToken, place: Place): ReactNode {
  if (place.depth > maxDepth) return <p>{token.raw}</p>;
  switch (token.type) {
    case "heading":
      return <Heading token={token} />;
    case "paragraph":
      return (
        <p>
          <Inline tokens={token.tokens} />
        </p>
      );
    case "text":
      return <Inline tokens={token.tokens ?? [token]} />;
    case "code":
      return <CodeBlock text={token.text} info={token.lang} live={place.live} foldKey={place.foldKey} />;
    case "blockquote":
      return (
        <blockquote>
          <Blocks tokens={token.tokens} place={place} />
        </blockquote>
      );
    case "list":
      return <List token={token} place={place} />;
    case "table":
      return <Table token={token} />;
    case "hr":
      return <hr />;
    case "space":
    case "def":
      return null;
    case "html":
      return <p className="md-html">{token.raw}</p>;
    default:
      return <Inline tokens={[token]} />;
  }
}

/** Blocks in order. Keyed by position: what comes before the end of a growing text stays what it is. */
export function Blocks({ tokens, place }: { readonly tokens: readonly Token[]; readonly place: Place }) {
  return tokens.map((token, index) => (
    <Block
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      key={index}
      token={token}
      live={place.live && index === tokens.length - 1}
      foldKey={`${place.foldKey}.${index}`}
      depth={place.depth + 1}
    />
  ));
}

function Heading({ token }: { readonly token: Tokens.Heading }) {
  // The page has its own first levels.
  const Level = `h${Math.min(6, token.depth + 2)}` as "h3" | "h4" | "h5" | "h6";
  return (
    <Level className={`md-heading md-h${token.depth}`}>
      <Inline tokens={token.tokens} />
    </Level>
  );
}

function List({ token, place }: { readonly token: Tokens.List; readonly place: Place }) {
  const items = token.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items have no other name
    <li key={index} className={item.task ? "md-task" : undefined}>
      <Blocks
        tokens={item.tokens}
        place={{ ...place, foldKey: `${place.foldKey}.${index}`, live: place.live && index === token.items.length - 1 }}
      />
    </li>
  ));
  if (!token.ordered) return <ul>{items}</ul>;
  return <ol start={token.start === "" || token.start === 1 ? undefined : token.start}>{items}</ol>;
}

function Table({ token }: { readonly token: Tokens.Table }) {
  const cell = (content: Tokens.TableCell, index: number, Tag: "th" | "td"): ReactNode => (
    <Tag key={index} className={content.align === null ? undefined : `md-${content.align}`}>
      <Inline tokens={content.tokens} />
    </Tag>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="md-table" role="group" aria-label={itemWords.table} tabIndex={0}>
      <table>
        <thead>
          <tr>{token.header.map((content, index) => cell(content, index, "th"))}</tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
            <tr key={at}>{row.map((content, index) => cell(content, index, "td"))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
