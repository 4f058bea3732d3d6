import { KEY_MAX_LENGTH } from '@burgee/contract'

/** A key made from a name: `Beta testers (EU)` gives `beta-testers-eu`. Empty where no letter of it may stand in a key. */
export const suggestKey = (name: string): string =>
  name
    .slice(0, 4 * KEY_MAX_LENGTH)
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, KEY_MAX_LENGTH)
    .replace(/^-+|-+$/g, '')
