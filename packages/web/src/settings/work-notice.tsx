import { Notice } from "../ui/index.ts";
import type { Work } from "./use-work.ts";

/** The outcome of a piece of work: its error, or the remark on it. */
export function WorkNotice({ work: { error, done } }: { readonly work: Work }) {
  if (error !== null) return <Notice tone="danger">{error}</Notice>;
  return done === null ? null : <Notice tone="success">{done}</Notice>;
}
