import type { ContentItem, MessageResponseItem } from "@quire/protocol";
/** A message to the model. */
export declare function message(role: "developer" | "user", content: ContentItem[]): MessageResponseItem;
/** A piece of text in a message. */
export declare function text(value: string): ContentItem;
/** Text between a pair of tags, each on a line of its own. */
export declare function tagged(tag: string, value: string): string;
/** Text that may stand between tags. */
export declare function escaped(value: string): string;
