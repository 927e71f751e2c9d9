export const small = 2000;
export const entries = 2000;
export const inFlight = 32;
export const largeMb = 32;
/** How often what is one call is done; its median counts. */
export const repeats = 5;
