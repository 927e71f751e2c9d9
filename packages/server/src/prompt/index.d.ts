export { promptSource } from "./default-prompts.ts";
