import type { ThemeRegistration } from "shiki/core";
import { tokenKinds } from "./token-kinds.ts";

/** Grammar scopes of each kind of token. */
const scopes: Readonly<Partial<Record<(typeof tokenKinds)[number], readonly string[]>>> = {
  comment: ["comment", "punctuation.definition.comment", "markup.quote"],
  string: ["string", "punctuation.definition.string", "markup.inline.raw", "markup.raw"],
  number: ["constant.numeric", "constant.language", "constant.character", "constant.other", "support.constant"],
  keyword: [
    ...["keyword", "storage", "variable.language", "punctuation.definition.keyword", "entity.name.section"],
    ...["markup.heading", "punctuation.definition.heading"],
  ],
  function: ["entity.name.function", "support.function", "meta.function-call.generic", "markup.underline.link"],
  type: ["entity.name.type", "entity.name.class", "support.type", "support.class", "entity.other.inherited-class"],
  property: [
    "support.type.property-name",
    "entity.other.attribute-name",
    "meta.object-literal.key",
    "entity.name.label",
  ],
  tag: ["entity.name.tag"],
  regexp: ["string.regexp", "constant.other.character-class.regexp"],
  inserted: ["markup.inserted"],
  deleted: ["markup.deleted"],
};

const colourOf = (kind: number): string => `#0000${kind.toString(16).padStart(2, "0")}`;

/** The kind of token that a colour of the theme stands for; plain for any other colour. */
export function kindOfColour(colour: string | undefined): number {
  const kind = Number.parseInt(colour?.slice(5) ?? "0", 16);
  return kind > 0 && kind < tokenKinds.length ? kind : 0;
}

/** A theme whose colours are numbers of token kinds, so that the style sheet alone says what they look like. */
export const kindTheme: ThemeRegistration = {
  name: "kinds",
  type: "dark",
  fg: colourOf(0),
  bg: "#ffffff",
  settings: [
    { settings: { foreground: colourOf(0) } },
    ...tokenKinds.flatMap((kind, index) => {
      const scope = scopes[kind];
      return scope === undefined ? [] : [{ scope: [...scope], settings: { foreground: colourOf(index) } }];
    }),
  ],
};
