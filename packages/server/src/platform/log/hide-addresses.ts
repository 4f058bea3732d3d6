const DOTS = '••••••'

/**
 * A URL of any scheme, also as a regular expression or JSON writes it. It is bounded, so that matching stays
 * linear.
 */
const ADDRESS = /\b([a-z][a-z0-9+.-]{0,20}):((?:\\?\/){2})([^\s"'<>\\/?#]*)([^\s"'<>]*)/gi

/**
 * Reduces every address in `text` to its scheme and host: paths, queries and user names may be credentials.
 * Addresses of files stay, because stack traces consist of them.
 */
export const hideAddresses = (text: string): string =>
  text.replace(ADDRESS, (whole: string, scheme: string, slashes: string, authority: string, rest: string) => {
    if (scheme.toLowerCase() === 'file') return whole
    const host = authority.slice(authority.lastIndexOf('@') + 1)
    const has_more = rest !== '' || host !== authority
    return `${scheme}:${slashes}${host}${has_more ? `/${DOTS}` : ''}`
  })
