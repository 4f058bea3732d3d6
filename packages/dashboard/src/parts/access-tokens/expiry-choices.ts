import { TOKEN_EXPIRY_DAYS_MAX } from '@burgee/contract'
import { countOf } from '../../shared/ui/count-of.ts'

export const NEVER = 'never'

const DAYS = [7, 30, 90, TOKEN_EXPIRY_DAYS_MAX]
const USUAL_DAYS = 90

export interface ExpiryChoices {
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly usual: string
}

/**
 * The times after which a new token can end. With the setting TOKEN_MAX_DAYS no time is longer, and none of
 * them is "never".
 */
export function expiryChoices(maxDays: number | undefined): ExpiryChoices {
  if (maxDays === undefined) {
    return { choices: [...DAYS.map(toChoice), { value: NEVER, label: 'Never' }], usual: String(USUAL_DAYS) }
  }
  const days = [
    ...new Set([...DAYS.filter((day) => day < maxDays), Math.min(maxDays, TOKEN_EXPIRY_DAYS_MAX)]),
  ]
  return { choices: days.map(toChoice), usual: String(Math.min(USUAL_DAYS, maxDays)) }
}

const toChoice = (days: number) => ({
  value: String(days),
  label: `In ${countOf(days, 'day')}`,
})
