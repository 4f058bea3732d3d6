import { RETURN_TO_MAX_LENGTH } from '@burgee/contract'

const NOWHERE = 'http://nowhere.invalid'
const HOME = '/'

/**
 * Returns the path of an address of this server, with query and fragment; `/` for anything else. Browsers
 * read `//host` and `/\host` as addresses of another server, and skip tabs and line ends.
 */
export function toLocalPath(text: string | undefined): string {
  if (text === undefined || text.length > RETURN_TO_MAX_LENGTH || !text.startsWith('/')) return HOME
  if (!URL.canParse(text, NOWHERE)) return HOME
  const { hash, origin, pathname, search } = new URL(text, NOWHERE)
  // `/..//host` has another server only after it was normalized.
  if (origin !== NOWHERE || pathname.startsWith('//') || pathname.startsWith('/api/')) return HOME
  return `${pathname}${search}${hash}`
}
