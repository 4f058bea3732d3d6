/** Where a login leads: the page that was wanted, or the start. No other site's address does, however it is written. */
export function nextAddress(wanted: string | undefined, origin: string): string {
  const url = URL.parse(wanted ?? '', origin)
  if (!url || url.origin !== origin) return '/'
  return url.pathname + url.search + url.hash
}
