import { percentile } from '../harness/percentile.mjs'
import { markdownTable, numberText } from '../harness/result-table.mjs'

/** The text where the older build has no figure, or a ratio has no meaning. */
const NONE = '-'

/**
 * Compares the figures of two builds, those of a round at the same place: `{ older, newer, ratio, least,
 * most }`. The ratio is newer to older: the median of the rounds, or that of the least figures.
 * @param {{ older: number[], newer: number[], isLeast?: boolean }} samples
 */
export function compareSamples({ isLeast = false, newer, older }) {
  const middle = (values) => (isLeast ? Math.min(...values) : percentile(values, 50))
  const figures = { older: older.length > 0 ? middle(older) : null, newer: middle(newer) }
  const ratios = older
    .map((value, round) => newer[round] / value)
    .filter((ratio) => Number.isFinite(ratio) && ratio > 0)
  if (ratios.length === 0) return { ...figures, ratio: null, least: null, most: null }
  const ratio = isLeast ? figures.newer / figures.older : percentile(ratios, 50)
  return { ...figures, ratio, least: Math.min(...ratios), most: Math.max(...ratios) }
}

/** Formats compared figures, each with `what`, `unit` and `rounds`, as a Markdown table. */
export function comparisonTable(commit, results) {
  return markdownTable({
    columns: ['What', commit, 'this', 'ratio', 'spread', 'rounds'],
    rows: results.map(({ least, most, newer, older, ratio, rounds, unit, what }) => [
      what,
      withUnit(older, unit),
      withUnit(newer, unit),
      ratio === null ? NONE : ratio.toFixed(2),
      ratio === null ? NONE : `${least.toFixed(2)} to ${most.toFixed(2)}`,
      String(rounds),
    ]),
  })
}

const withUnit = (value, unit) => (value === null ? NONE : `${numberText(value)} ${unit}`.trim())
