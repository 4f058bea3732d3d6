const DOTS = '••••••'

/** Formats an address without parts that may be credentials: its origin and six dots. */
export const elideUrl = (url: string): string => `${new URL(url).origin}/${DOTS}`
