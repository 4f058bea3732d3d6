/** Milliseconds of the machine's monotonic clock, which all processes share: a time taken in one can be subtracted in another. */
export const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6
