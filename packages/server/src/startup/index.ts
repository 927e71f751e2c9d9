export { defaultSocketPath, resolveHome } from "../config/home.ts";
export { startupRequirements } from "../config/requirements.ts";
export { checkStrictConfig, type StrictCheck } from "../config/strict.ts";
export {
  listTrusted,
  previewTrust,
  revokeTrust,
  type TrustPreview,
  trustProject,
} from "../config/trust/trust-project.ts";
export { processStart } from "../store/process-start.ts";
export { type DoctorCheck, type DoctorOptions, runDoctor } from "./doctor.ts";
