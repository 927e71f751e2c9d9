/**
 * Makes the elements of this page: as React makes them, with hidden characters in their text made visible. The compiler
 * calls it for every element (`jsxImportSource`), so no view can forget it.
 */
import type { ElementType, Key, ReactElement } from "react";
import * as react from "react/jsx-runtime";
import { type Props, shownProps } from "./shown-props.ts";

export type { JSX } from "react/jsx-runtime";

/** Groups elements without one of its own. */
export const Fragment: typeof react.Fragment = react.Fragment;

/** Makes an element with one child or none. */
export function jsx(type: ElementType, props: Props, key?: Key): ReactElement {
  return react.jsx(type, shownProps(type, props), key);
}

/** Makes an element with several children. */
export function jsxs(type: ElementType, props: Props, key?: Key): ReactElement {
  return react.jsxs(type, shownProps(type, props), key);
}
