import type { ElementType, Key, ReactElement } from "react";
import { jsx, jsxs } from "./jsx-runtime.ts";
import type { Props } from "./shown-props.ts";

export { Fragment, type JSX } from "./jsx-runtime.ts";

/** Makes an element where the page is bundled for development. */
export function jsxDEV(type: ElementType, props: Props, key?: Key, isStatic?: boolean): ReactElement {
  return (isStatic ? jsxs : jsx)(type, props, key);
}
