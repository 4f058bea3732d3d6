/** Of the palette's eighth shades, which carry white text at 4.5:1 and more. */
const SHARE_COLORS = ['indigo', 'teal', 'grape', 'cyan', 'pink', 'violet', 'green', 'red'] as const

/** The colour of the variant at a place, the same in the bar and beside its value. */
export const shareColor = (at: number): string =>
  `var(--mantine-color-${SHARE_COLORS[at % SHARE_COLORS.length]}-9)`
