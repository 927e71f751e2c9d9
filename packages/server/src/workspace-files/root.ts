import { dirname } from "node:path";

/** The folder that a file is asked for in. */
export interface Root {
  readonly path: string;
  /**
   * True when only the user writes there, so that links may lead anywhere. Elsewhere a link out of the folder counts as
   * missing: a model or a repository may have made it.
   */
  readonly trusted?: boolean | undefined;
}

/** The root and home against which files are checked. */
export interface Access {
  readonly root: Root;
  /** The server's home. Its files are hidden unless the root lies in it; its credentials always are. */
  readonly home: string;
}

/** A path that must not be opened, though something is there. */
export class FileRefused extends Error {
  override readonly name = "FileRefused";
  readonly reason: "outside" | "hidden" | "notFile" | "notFolder" | "tooLarge";

  /** For a file that is too large: its size, at least. */
  readonly bytes: number | undefined;

  constructor(reason: FileRefused["reason"], message: string, bytes?: number) {
    super(message);
    this.reason = reason;
    this.bytes = bytes;
  }
}

/** Reads within a folder alone, for what needs nothing from elsewhere. The server's home is elsewhere, too. */
export function within(path: string): Access {
  return { root: { path }, home: path };
}

/** Reads a file that the user, the configuration or git names, wherever it lies. For what is shown to no model. */
export function anywhere(path: string): Access {
  return { root: { path: dirname(path), trusted: true }, home: nowhere };
}

/** The home where none has to be hidden. */
export const nowhere = "/nonexistent";
