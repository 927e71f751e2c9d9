/** The version of Quire, that of every package. Written by `scripts/release.ts`, along with the manifests. */
export const quireVersion = "0.1.0";
