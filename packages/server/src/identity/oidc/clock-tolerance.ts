/** The difference of the clocks of server and provider that is accepted. */
export const CLOCK_TOLERANCE_SECONDS = 60
