const COPIED_SHOWN_MS = 2_000

/** Replaces what the page shows by a template, and tells those who do not see it by moving the focus to its heading. */
export function showView(template_id, title) {
  const view = document.getElementById('view')
  const is_first = view.querySelector('h1') === null
  view.replaceChildren(copyOf(template_id))
  document.title = title
  window.scrollTo(0, 0)
  if (!is_first) view.querySelector('h1').focus({ preventScroll: true })
  return { view, slot: (name) => slotOf(view, name) }
}

export const copyOf = (template_id) => document.getElementById(template_id).content.cloneNode(true)

export const slotOf = (parent, name) => parent.querySelector(`[data-slot="${name}"]`)

/** Fills a box with text to paste, where it belongs (`place`), and a button that copies it. */
export function showCode(box, { label, place, text }) {
  box.replaceChildren(copyOf('code-block'))
  slotOf(box, 'place').textContent = place
  const pre = slotOf(box, 'text')
  pre.textContent = text
  // Long lines scroll, and what scrolls must be within reach of the keyboard.
  pre.tabIndex = 0
  pre.role = 'region'
  pre.ariaLabel = label
  copyOnClick(slotOf(box, 'copy'), { source: pre, label })
}

/** `source` is the element whose text is copied. */
export function copyOnClick(button, { label, onCopied, source }) {
  const resting = button.textContent
  let timer
  button.ariaLabel = `${resting}: ${label}`
  button.addEventListener('click', async () => {
    const is_copied = await copyText(source)
    button.textContent = is_copied ? 'Copied' : 'Selected'
    announce(is_copied ? `Copied: ${label}` : `${label} is selected: copy it with the keyboard.`)
    if (is_copied) onCopied?.()
    clearTimeout(timer)
    timer = setTimeout(() => {
      button.textContent = resting
    }, COPIED_SHOWN_MS)
  })
}

/** Over plain http a browser has no clipboard to offer: then the text is selected, and copied the old way where that works. */
async function copyText(source) {
  try {
    await navigator.clipboard.writeText(source.textContent)
    return true
  } catch {
    getSelection().selectAllChildren(source)
    return document.execCommand('copy')
  }
}

function announce(text) {
  document.getElementById('announcements').textContent = text
}
