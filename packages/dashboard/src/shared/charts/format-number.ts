const LOCALE = 'en'
/** Shorter numbers are written out. */
const COMPACT_FROM = 10_000

const count = new Intl.NumberFormat(LOCALE)
const compact = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 })
const wholePercent = new Intl.NumberFormat(LOCALE, { style: 'percent' })
const finePercent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumSignificantDigits: 2 })
const point = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2, signDisplay: 'exceptZero' })
const finePoint = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 2, signDisplay: 'exceptZero' })
/** Below it two fraction digits of a percentage point show too little. */
const FINE_POINTS_BELOW = 0.1
/** The number shown for a share that is nearly everyone: only everyone is 100%. */
const NEARLY_ALL = 0.999

/** `25,702` */
export const formatCount = (value: number): string => count.format(value)

/** For axes: `1,350`, `25.7K`; never shorter than the difference between two ticks allows. */
export const formatCompact = (value: number): string =>
  value < COMPACT_FROM ? count.format(value) : compact.format(value)

/** A share between 0 and 1: `13.3%`; small ones keep two digits that mean something: `0.042%`. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.001) return finePercent.format(share)
  return percent.format(share < 1 ? Math.min(share, NEARLY_ALL) : share)
}

/** The size of a change, more or less, without a sign: `35%`, `4.4%`, `1,220%`. */
export function formatChange(change: number): string {
  const size = Math.abs(change)
  // A loss of 99.7% is not a loss of everything.
  if (size > 0.99 && size < 1) return percent.format(Math.min(size, NEARLY_ALL))
  if (size >= 0.1) return wholePercent.format(size)
  return size < 0.001 ? finePercent.format(size) : percent.format(size)
}

/** A change with its sign, for tables: `+35%`, `−4.4%`, `0%`. */
export function formatSignedChange(change: number): string {
  if (change === 0) return '0%'
  return `${change > 0 ? '+' : '−'}${formatChange(change)}`
}

/** A difference of two shares in percentage points, without the unit: `+3.43`, `−0.5`, `+0.0042`. */
export function formatPoints(difference: number): string {
  const points = difference * 100
  const format = Math.abs(points) < FINE_POINTS_BELOW ? finePoint : point
  return format.format(points).replace('-', '−')
}
