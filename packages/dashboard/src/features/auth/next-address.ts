/**
 * The address that a login leads to: the page that was wanted, or the start. It never leads to another site,
 * however the address is written.
 */
export function nextAddress(wanted: string | undefined, origin: string): string {
  const url = URL.parse(wanted ?? '', origin)
  if (!url || url.origin !== origin) return '/'
  return url.pathname + url.search + url.hash
}
