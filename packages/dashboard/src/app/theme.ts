import { createTheme, type MantineColorsTuple } from '@mantine/core'

/**
 * The sea that a burgee flies over. Shade 6 carries white text at 5.9:1. Shade 4 is read on the dark page.
 */
const sea: MantineColorsTuple = [
  '#eef1ff',
  '#dde2fb',
  '#b9c2f3',
  '#93a1ec',
  '#7c8ef0',
  '#5a6de0',
  '#3d50cf',
  '#3346c4',
  '#2a39a3',
  '#212d80',
]

/** Quiet grays with a little of the same blue. */
const dark: MantineColorsTuple = [
  '#d3d8e0',
  '#b4bcc8',
  '#96a0af',
  '#6b7686',
  '#465060',
  '#333c49',
  '#232a34',
  '#171c24',
  '#11151b',
  '#0c0f14',
]

/** Mantine's own, except for shades 6 (dark) and 7 (light), which carry white text. */
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#ff6b6b',
  '#d63131',
  '#d32f2f',
  '#c92a2a',
  '#b02525',
]

const dialog = {
  closeButtonProps: { 'aria-label': 'Close' },
  // A dialog's <header> would count as a second banner of the page.
  attributes: { header: { role: 'presentation' } },
}

export const theme = createTheme({
  primaryColor: 'sea',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  // Below it text on a filled control is white. Mantine measures the light shade, in the dark as well.
  luminanceThreshold: 0.25,
  colors: { sea, dark, red },
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  headings: { fontWeight: '620' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  components: {
    Tooltip: { defaultProps: { openDelay: 250, withArrow: true, multiline: true, maw: 320 } },
    Modal: { defaultProps: { ...dialog, centered: false, radius: 'md' } },
    Drawer: { defaultProps: dialog },
    // The placeholder is no item of a menu, which confuses screen readers. Without it the first item takes
    // the focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Table: { defaultProps: { verticalSpacing: 'xs', horizontalSpacing: 'sm' } },
  },
})
