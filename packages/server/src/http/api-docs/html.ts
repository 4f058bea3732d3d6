/** A text that is already HTML. */
export interface Html {
  readonly html: string
}

type Part = string | number | Html | readonly Html[]

/** Builds HTML. Values are escaped unless they are HTML already. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: texts.map((text, index) => text + toText(parts[index] ?? '')).join('') }
}

/** Formats a text whose words in backquotes become code. */
export function prose(text: string): Html {
  const pieces = text
    .split('`')
    .map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))
  return html`${pieces}`
}

/** Renders a part, or nothing when the condition is false. */
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
