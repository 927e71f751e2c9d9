/** Small notifications that one run receives. */
export const messages = 100_000;

/** Requests that one run makes. */
export const requests = 50_000;
