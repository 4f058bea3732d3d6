import { PROJECT_SLUG_MAX_LENGTH } from '@burgee/contract'

/**
 * Returns the slug for a name of which nothing is left (docs/reference/access.md#setup): `project`, then
 * `project-2` and so on.
 */
export const numberedSlug = (number: number): string => (number === 1 ? 'project' : `project-${number}`)

/** Letters that Unicode does not decompose into a plain letter and an accent. */
const FOLDED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
}
const FOLDABLE = new RegExp(`[${Object.keys(FOLDED).join('')}]`, 'g')

/**
 * Builds a project's slug from its name: lower case, accents removed, each run of other characters one
 * hyphen, none at either end, at most 64 characters. Null when nothing is left.
 */
export function projectSlug(name: string): string | null {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(FOLDABLE, (letter) => FOLDED[letter] ?? letter)
    // Lower-casing can create an accent, as with a dotted capital I.
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, PROJECT_SLUG_MAX_LENGTH)
    .replace(/-$/, '')
  return slug === '' ? null : slug
}
