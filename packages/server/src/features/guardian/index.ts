import { service } from "../../context/services.ts";
import type { Feature } from "../../thread/feature.ts";
import type { Thread } from "../../thread/thread.ts";

const reviewer = service((thread: Thread) => import("./guardian.ts").then(({ Guardian }) => new Guardian(thread)));

/** Lets a model decide approvals in the user's place. Loaded on first use. */
export const guardian: Feature<Thread> = { reviewer: (thread) => thread.services.get(reviewer) };
