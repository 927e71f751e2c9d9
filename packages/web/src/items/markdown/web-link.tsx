import type { ReactNode } from "react";
import { classNames } from "../../ui/class-names.ts";

interface WebLinkProps {
  /** An address that may be followed. */
  readonly href: string;
  readonly text: string;
  /** Content shown instead of the text. */
  readonly children?: ReactNode;
  readonly className?: string | undefined;
}

/** A link that somebody else wrote. The site it leads to is written behind it, unless its own text is the address. */
export function WebLink({ href, text, children = text, className }: WebLinkProps) {
  return (
    <a
      className={classNames("md-link", className)}
      href={href}
      title={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
    >
      {children}
      {!saysWhere(text, href) && <span className="md-where"> ({siteOf(href)})</span>}
    </a>
  );
}

/** The site of an address in ASCII, so that no letter passes for another one. */
export function siteOf(href: string): string {
  const { protocol, host, pathname } = new URL(href);
  return protocol === "mailto:" ? pathname : host;
}

function saysWhere(text: string, href: string): boolean {
  const spellings = [text, `http://${text}`, `mailto:${text}`].map((each) => URL.parse(each)?.href);
  return text.includes(siteOf(href)) && spellings.includes(href);
}
