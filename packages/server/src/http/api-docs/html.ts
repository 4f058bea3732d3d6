/** Text that is HTML already. */
export interface Html {
  readonly html: string
}

type Part = string | number | Html | readonly Html[]

/** Builds HTML. What is put in is escaped, unless it is HTML itself. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: texts.map((text, index) => text + toText(parts[index] ?? '')).join('') }
}

/** Text with words in backquotes, which become code. */
export function prose(text: string): Html {
  const pieces = text
    .split('`')
    .map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))
  return html`${pieces}`
}

/** Nothing at all, or what `render` gives. */
export const when = (condition: boolean, render: () => Html): Html => (condition ? render() : NOTHING)

const NOTHING: Html = { html: '' }

function toText(part: Part): string {
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(({ html }) => html).join('')
}

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ESCAPED[char] ?? char)
