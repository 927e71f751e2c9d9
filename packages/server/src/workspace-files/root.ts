import { dirname } from "node:path";

/** The folder that a file is asked for in. */
export interface Root {
  readonly path: string;
  /**
   * Whether only the user writes there: then links may lead anywhere, as those of people who keep their settings elsewhere
   * do. In any other folder, a link that leads out of it counts as nothing: a model or a repository may have put it there.
   */
  readonly trusted?: boolean | undefined;
}

/** What a file is opened with. */
export interface Access {
  readonly root: Root;
  /** The server's home. What lies in it is hidden, unless the root does too; its credentials always are. */
  readonly home: string;
}

/** A path that must not be opened, though something is there. */
export class FileRefused extends Error {
  override readonly name = "FileRefused";
  readonly reason: "outside" | "hidden" | "notFile" | "notFolder" | "tooLarge";

  /** Of a file that is too large: how large it is, at least. */
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
