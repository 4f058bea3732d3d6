const LOCALE = 'en'
/** From here on a relative change is easier to grasp as a multiple. */
const MULTIPLE_FROM = 10
/** Shorter numbers are written out. */
const COMPACT_FROM = 10_000

const count = new Intl.NumberFormat(LOCALE)
const compact = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 })
const whole_percent = new Intl.NumberFormat(LOCALE, { style: 'percent' })
const fine_percent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumSignificantDigits: 2 })
const multiple = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 })
const point = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2, signDisplay: 'exceptZero' })

/** `25,702` */
export const showCount = (value: number): string => count.format(value)

/** For axes: `1,350`, `25.7K`; never shorter than the difference between two ticks allows. */
export const showCompact = (value: number): string =>
  value < COMPACT_FROM ? count.format(value) : compact.format(value)

/** A share between 0 and 1: `13.3%`; small ones keep two digits that say something: `0.042%`. */
export const showShare = (share: number): string =>
  share > 0 && share < 0.001 ? fine_percent.format(share) : percent.format(share)

/** How much more or less, without a sign: `35%`, `4.4%`, from tenfold on `12 times`. */
export function showChange(change: number): string {
  const size = Math.abs(change)
  if (size >= MULTIPLE_FROM) return `${multiple.format(size)} times`
  if (size >= 0.1) return whole_percent.format(size)
  return size < 0.001 ? fine_percent.format(size) : percent.format(size)
}

/** A change with its sign, for tables: `+35%`, `−4.4%`, `0%`. */
export function showSignedChange(change: number): string {
  if (change === 0) return '0%'
  return `${change > 0 ? '+' : '−'}${showChange(change)}`
}

/** A difference of two shares in percentage points, without the unit: `+3.43`, `-0.5`. */
export const showPoints = (difference: number): string => point.format(difference * 100).replace('-', '−')
