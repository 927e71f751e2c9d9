import { Image as ImageIcon } from "lucide-react";
import type { MarkedToken, Token, Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { decodeEntities } from "./entities.ts";
import { safeImage, safeLink } from "./safe-url.ts";
import { WebLink } from "./web-link.tsx";

/** The inline content of a block. Nothing of it is ever taken as HTML. */
export function Inline({ tokens }: { readonly tokens: readonly Token[] | undefined }): ReactNode {
  return tokens?.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no other name, and are replaced as a whole
    <Fragment key={index}>{inline(token as MarkedToken)}</Fragment>
  ));
}

function inline(token: MarkedToken): ReactNode {
  switch (token.type) {
    case "strong":
      return (
        <strong>
          <Inline tokens={token.tokens} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Inline tokens={token.tokens} />
        </em>
      );
    case "del":
      return (
        <del>
          <Inline tokens={token.tokens} />
        </del>
      );
    case "codespan":
      return <code className="md-code">{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return <Link token={token} />;
    case "image":
      return <Picture token={token} />;
    case "checkbox":
      return (
        <input type="checkbox" checked={token.checked} readOnly disabled aria-label={token.checked ? "done" : "open"} />
      );
    case "html":
      return /^<br\s*\/?>$/i.test(token.raw.trim()) ? <br /> : token.raw;
    case "escape":
      return token.text;
    case "text":
      return token.tokens === undefined ? decodeEntities(token.text) : <Inline tokens={token.tokens} />;
    default:
      return token.raw;
  }
}

function Link({ token }: { readonly token: Tokens.Link }) {
  const href = safeLink(token.href);
  const label = <Inline tokens={token.tokens} />;
  if (href === null) {
    // Most often a file that the agent names; where it leads is shown, but nothing is opened.
    return (
      <span className="md-file" title={token.href}>
        {label}
      </span>
    );
  }
  return (
    <WebLink href={href} text={token.text}>
      {label}
    </WebLink>
  );
}

/** A picture is only loaded when it is part of the text: an address would tell a stranger that it was read. */
function Picture({ token }: { readonly token: Tokens.Image }) {
  const data = safeImage(token.href);
  const name = token.text === "" ? "image" : token.text;
  if (data !== null) return <img className="md-image" src={data} alt={token.text} />;
  const href = safeLink(token.href);
  const content = (
    <>
      <ImageIcon size={14} aria-hidden="true" /> {name}
    </>
  );
  if (href === null) {
    return (
      <span className="md-picture" title={token.href}>
        {content}
      </span>
    );
  }
  return (
    <WebLink className="md-picture" href={href} text={name}>
      {content}
    </WebLink>
  );
}
