const DOTS = '••••••'

/** Where a valid address leads, without what may be a credential: its origin and six dots. */
export const elideUrl = (url: string): string => `${new URL(url).origin}/${DOTS}`
