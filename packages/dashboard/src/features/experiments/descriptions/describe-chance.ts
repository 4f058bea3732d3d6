import { SIGNIFICANCE_THRESHOLD } from '@burgee/contract'

const LEAST_SHOWN = 0.0001
const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })
const exact = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 })

/** In how many experiments without a difference chance would show one this large: `3 of 100 experiments`. */
export function describeChance(p_value: number): string {
  if (p_value < 0.001) return 'fewer than 1 of 1,000 experiments'
  if (p_value < 0.0095) return `${Math.round(p_value * 1_000)} of 1,000 experiments`
  if (p_value >= 0.995) return 'nearly every experiment'
  const inHundred = Math.round(p_value * 100)
  const isNear = inHundred === SIGNIFICANCE_THRESHOLD * 100 && p_value !== SIGNIFICANCE_THRESHOLD
  // "5 of 100" alone would not state on which side of the threshold it is.
  const side = p_value < SIGNIFICANCE_THRESHOLD ? 'just under ' : 'just over '
  return `${isNear ? side : ''}${inHundred} of 100 experiments`
}

/** `p = 0.016`, with blanks that do not break. */
export function formatPValue(p_value: number): string {
  const text = formatBarePValue(p_value).replace(' ', '\u00a0')
  return `p\u00a0${text.startsWith('<') ? '' : '=\u00a0'}${text}`
}

/** `0.016`, for tables; never rounded over the threshold. */
export function formatBarePValue(p_value: number): string {
  if (p_value < LEAST_SHOWN) return `< ${LEAST_SHOWN}`
  const text = short.format(p_value)
  const isMoved = Number(text) < SIGNIFICANCE_THRESHOLD !== p_value < SIGNIFICANCE_THRESHOLD
  return isMoved ? exact.format(p_value) : text
}
