/** Returns the address of a flag in the dashboard. */
export const flagAddress = (environmentAddress: string, flagKey: string): string =>
  `${environmentAddress.replace(/\/+$/, '')}/flags/${encodeURIComponent(flagKey)}`
