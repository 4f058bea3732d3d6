const FIELDS = 'input, textarea, select, [contenteditable="true"], [role="textbox"]'
/** Lists and menus find their entries by letters. */
const LETTER_EATERS = '[role="menu"], [role="listbox"], [role="combobox"]'

/** Whether a key belongs to what has the focus, or to an open dialog, rather than to the page. */
export function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('[aria-modal="true"]')) return true
  if (!(target instanceof Element)) return false
  if (target.matches('input[type="checkbox"], input[type="radio"]')) return false
  return target.closest(`${FIELDS}, ${LETTER_EATERS}`) !== null
}
