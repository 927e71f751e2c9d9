import { existsSync } from "node:fs";
import { tmpdir } from "node:os";

/**
 * Where files lie when what is measured are programs and not the disk: on one where many files were deleted lately,
 * making a new one can take fifty times as long, for minutes.
 */
export const memoryFolder: string = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
