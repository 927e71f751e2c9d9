export type { Logger } from "@quire/client";
