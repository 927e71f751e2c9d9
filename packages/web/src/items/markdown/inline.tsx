import { Image as ImageIcon } from "lucide-react";
import type { MarkedToken, Token, Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { type FileTarget, looksLikeFile, parseFileName, showFile } from "../../navigation/file-target.ts";
import { useItemContext } from "../item-context.ts";
import { decodeEntities } from "./entities.ts";
import { safeImage, safeLink } from "./safe-url.ts";
import { WebLink } from "./web-link.tsx";

interface InlineProps {
  readonly tokens: readonly Token[] | undefined;
  /** It stands in a link: nothing in it can be pressed. */
  readonly linked?: boolean | undefined;
}

/** The inline content of a block. Nothing of it is ever taken as HTML. */
export function Inline({ tokens, linked = false }: InlineProps): ReactNode {
  return tokens?.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no other name, and are replaced as a whole
    <Fragment key={index}>{inline(token as MarkedToken, linked)}</Fragment>
  ));
}

function inline(token: MarkedToken, linked: boolean): ReactNode {
  switch (token.type) {
    case "strong":
      return (
        <strong>
          <Inline tokens={token.tokens} linked={linked} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Inline tokens={token.tokens} linked={linked} />
        </em>
      );
    case "del":
      return (
        <del>
          <Inline tokens={token.tokens} linked={linked} />
        </del>
      );
    case "codespan":
      return <CodeSpan text={token.text} linked={linked} />;
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
      return token.tokens === undefined ? decodeEntities(token.text) : <Inline tokens={token.tokens} linked={linked} />;
    default:
      return token.raw;
  }
}

/** A file that is named as code leads to it. */
function CodeSpan({ text, linked }: { readonly text: string; readonly linked: boolean }): ReactNode {
  const { cwd } = useItemContext();
  const file = !linked && looksLikeFile(text) ? parseFileName(text, cwd) : null;
  const code = <code className="md-code">{text}</code>;
  return file === null ? code : <FileLink file={file}>{code}</FileLink>;
}

function FileLink({ file, children }: { readonly file: FileTarget; readonly children: ReactNode }): ReactNode {
  const place = file.line === null ? file.path : `${file.path}:${file.line}`;
  return (
    <button type="button" className="md-file-link" title={place} onClick={() => showFile(file)}>
      {children}
    </button>
  );
}

function Link({ token }: { readonly token: Tokens.Link }) {
  const href = safeLink(token.href);
  const label = <Inline tokens={token.tokens} linked />;
  const { cwd } = useItemContext();
  if (href === null) {
    // Most often a file that the agent names.
    const file = parseFileName(plainPath(token.href), cwd);
    if (file !== null) return <FileLink file={file}>{label}</FileLink>;
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

/** Addresses are encoded, names of files are not. */
function plainPath(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href;
  }
}
