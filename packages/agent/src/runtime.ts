/** Parts that an evaluation runs on: clock, log, redaction, homes, files, usage. */

export { addUsage, noUsage } from "@quire/client/guards";
export type { FullClientConfig } from "./evaluate/client-config.ts";
export { type Environment, hermeticEnv } from "./home/hermetic-env.ts";
export { createPrivateHome, type PrivateHome, type PrivateHomeOptions } from "./home/private-home.ts";
export { type Clock, systemClock } from "./lib/clock.ts";
export type { Logger } from "./lib/logger.ts";
export type { DeadlineOptions } from "./limits/deadline.ts";
export { phaseOfTurnError } from "./limits/error-phase.ts";
export type { EvaluationErrorOptions } from "./limits/evaluation-error.ts";
export { FilesystemResource } from "./resources/filesystem-resource.ts";
export type { BundleFacts, LogLine } from "./transcript/debug-bundle.ts";
export { Redactor } from "./transcript/redactor.ts";
export type { Filesystem } from "./workspace/filesystem.ts";
export { HostFilesystem } from "./workspace/host-filesystem.ts";
