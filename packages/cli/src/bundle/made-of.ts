/** All that a bundle was made of. */
export interface MadeOf {
  /** Real path of this package. */
  readonly cli: string;
  /** The Bun that built it, for the times when the bundle is not current. */
  readonly bun: string;
  /** Absolute paths: sources, manifests, the folder of links between packages, and Bun. */
  readonly files: readonly string[];
  /** Size, time of change, and time of the last change of any kind, for each file in turn. */
  readonly marks: readonly number[];
}

/** Replaced when a bundle is built. From source there is none. */
export const madeOf: MadeOf | undefined = undefined;
