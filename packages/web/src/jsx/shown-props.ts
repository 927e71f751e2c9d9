import { visibleParts, visibleText } from "@quire/protocol";
import { Fragment, type ReactNode } from "react";
import { jsx } from "react/jsx-runtime";

/** The props of an element. */
export type Props = Readonly<Record<string, unknown>>;

/** Attributes that a person reads, or hears. */
const readAttributes = ["title", "alt", "placeholder", "label", "aria-label", "aria-description", "aria-valuetext"];
/** Elements that hold text and nothing else. */
const textOnly: ReadonlySet<unknown> = new Set(["option", "textarea", "title"]);
const prose = { prose: true } as const;
/** Text without anything else needs no second look. */
const plain = /^[\x20-\x7e\n\t]*$/;

/**
 * The props of an element as they are shown. Whatever text gets into the page, a model's, a file's or a server's, comes
 * by here: characters that reorder or hide text become marks.
 */
export function shownProps(type: unknown, props: Props): Props {
  if (typeof type !== "string" && type !== Fragment) return props;
  let shown = props;
  const { children } = props;
  if (!isClean(children)) shown = { ...props, children: shownChildren(children, textOnly.has(type)) };
  for (const name of readAttributes) {
    const value = props[name];
    if (typeof value === "string" && !plain.test(value)) shown = { ...shown, [name]: visibleText(value, prose) };
  }
  return shown;
}

function isClean(child: unknown): boolean {
  if (typeof child === "string") return plain.test(child);
  return !Array.isArray(child) || child.every(isClean);
}

function shownChildren(child: unknown, asText: boolean, key = "hidden"): unknown {
  if (typeof child === "string") return asText ? visibleText(child, prose) : shownText(child, key);
  if (!Array.isArray(child)) return child;
  return child.map((each, index) => shownChildren(each, asText, `${key}-${index}`));
}

function shownText(text: string, key: string): ReactNode {
  const parts = visibleParts(text, prose);
  if (!parts.some((part) => part.isMark)) return text;
  const children = parts.map((part, index) =>
    part.isMark ? jsx("span", { className: "ui-hidden-char", title: markHint, children: part.text }, index) : part.text,
  );
  return jsx(Fragment, { children }, key);
}

/** Tooltip of a mark. */
export const markHint = "A hidden character";
