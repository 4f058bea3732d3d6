/**
 * Returns milliseconds of the machine's monotonic clock, which all processes share: times of different
 * processes can be subtracted.
 */
export const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6
