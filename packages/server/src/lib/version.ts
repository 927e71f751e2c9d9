// Not of the whole protocol, which a server need not load to start.
export { codexVersion, quireVersion } from "@quire/protocol/version";
