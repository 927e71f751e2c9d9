import type { Filesystem } from "../workspace/filesystem.ts";
import { type ResourceKey, resourceKey } from "./resource-binding.ts";

/** The files that tools work on. A workspace binds it. */
export const FilesystemResource: ResourceKey<Filesystem> = resourceKey("filesystem");
