import { ENVIRONMENT_SLUG_MAX_LENGTH } from '@burgee/contract'

/** A slug for a name: `Load test (EU)` gives `load-test-eu`. Empty where the name holds no letter or digit of ASCII. */
export function suggestSlug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, ENVIRONMENT_SLUG_MAX_LENGTH)
    .replace(/^-+|-+$/g, '')
}
