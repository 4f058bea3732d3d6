/** Returns the path of `PUBLIC_URL`, below which people reach the server: `/burgee`; empty at the root. */
export const basePathOf = (publicUrl: string | null): string =>
  publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '')
