/**
 * Where the files of the page lie, by the path they are served under, when it was built beforehand: the build of the
 * executable and of the published package puts another module in the place of this one. From source the page is built
 * when it is asked for.
 */
export const embedded: Readonly<Record<string, string>> | undefined = undefined;
