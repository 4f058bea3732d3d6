import type { DomainEventRecord } from '../../../../kernel/domain-event-payload.ts'
import { type Fact, type MessageSettings, toMessageContent } from './message-content.ts'

/** The limits of Slack, in characters after escaping (Block Kit reference). */
const SECTION_MAX = 3_000
const FIELD_MAX = 2_000
const TEXT_MAX = 3_000

/**
 * Formats an event as the body of a Slack incoming webhook: `text` for notifications, `blocks` with the
 * event, and an attachment with a color bar along the facts. Compatible receivers without blocks show `text`.
 */
export function toSlackMessage(occurrence: DomainEventRecord, settings: MessageSettings): object {
  const { color, details, facts, headline, link } = toMessageContent(occurrence, settings)
  const below = details === '' ? '' : `\n${escapeSlack(details, SECTION_MAX - 1_500)}`
  return {
    text: escapeSlack(details === '' ? headline : `${headline}: ${details}`, TEXT_MAX),
    blocks: [section(`*${escapeSlack(headline, 1_400)}*${below}`)],
    attachments: [
      {
        color,
        blocks: [
          { type: 'section', fields: facts.map(toField) },
          ...(link === null ? [] : [section(`<${escapeLink(link)}|Open the flag>`)]),
          {
            type: 'context',
            elements: [markdown(escapeSlack(`Burgee, ${occurrence.occurred_at}`, FIELD_MAX))],
          },
        ],
      },
    ],
  }
}

const section = (text: string): object => ({ type: 'section', text: markdown(text) })

/** Formats verbatim: names that look like channels, people or addresses stay text. */
const markdown = (text: string): object => ({ type: 'mrkdwn', text, verbatim: true })

const toField = ({ name, value }: Fact): object =>
  markdown(`*${name}*\n${escapeSlack(value, FIELD_MAX - 100)}`)

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Escapes Slack's three control characters as entities, within `max` characters; no entity is cut. */
function escapeSlack(text: string, max: number): string {
  let escaped = ''
  for (const character of text) {
    const piece = ENTITIES[character] ?? character
    if (escaped.length + piece.length > max - 1) return `${escaped}…`
    escaped += piece
  }
  return escaped
}

/** Escapes an address inside `<...|...>`. */
const escapeLink = (link: string): string =>
  link.replace(/[<>|]/g, encodeURIComponent).replaceAll('&', '&amp;')
