export { fetchTaskDiff, type TaskRequest } from "../account/cloud-task.ts";
export { defaultSocketPath, resolveHome } from "../config/home.ts";
export { startupRequirements } from "../config/requirements.ts";
export { checkStrictConfig, type StrictCheck } from "../config/strict.ts";
export { compatWith, UnknownCodex } from "../context/compat-with.ts";
export { processStart } from "../lib/process-start.ts";
export { ownPath } from "../run/process/own-path.ts";
export {
  listTrusted,
  previewTrust,
  revokeTrust,
  type TrustPreview,
  trustProject,
} from "../trust/trust-project.ts";
export { type DoctorCheck, runDoctor } from "./doctor.ts";
export type { DoctorOptions } from "./doctor-options.ts";
