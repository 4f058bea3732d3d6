/** Series that have a colour of their own; the rest share one. */
export const SERIES_MAX = 5

/** The colour of a series by its place, as a CSS value that follows the colour scheme. */
export const seriesColor = (index: number): string =>
  index >= 0 && index < SERIES_MAX ? `var(--burgee-series-${index + 1})` : 'var(--burgee-series-other)'
