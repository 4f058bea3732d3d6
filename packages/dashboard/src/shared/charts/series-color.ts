/** Series that have a color of their own; the rest share one. */
export const SERIES_MAX = 5

/** The color of a series by its place, as a CSS value that follows the color scheme. */
export const seriesColor = (index: number): string =>
  index >= 0 && index < SERIES_MAX ? `var(--burgee-series-${index + 1})` : 'var(--burgee-series-other)'
