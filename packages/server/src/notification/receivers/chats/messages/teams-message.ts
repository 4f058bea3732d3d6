import type { DomainEventRecord } from '../../../../kernel/domain-event-payload.ts'
import {
  type Fact,
  type MessageContent,
  type MessageSettings,
  type Tone,
  toMessageContent,
} from './message-content.ts'

/**
 * Formats an event as one body that is two messages: a message card for the older connectors, and, in
 * `attachments`, the same as an Adaptive Card for Workflows, their successor. The texts are short enough for
 * both together to stay below the 28 KB that Teams accepts.
 */
export function toTeamsMessage(occurrence: DomainEventRecord, settings: MessageSettings): object {
  const content = toMessageContent(occurrence, settings)
  return {
    '@type': 'MessageCard',
    '@context': 'https://schema.org/extensions',
    themeColor: content.color.slice(1),
    summary: escapeMarkdown(content.headline),
    title: escapeMarkdown(content.headline),
    sections: [
      {
        ...(content.details !== '' && { text: escapeMarkdown(content.details) }),
        facts: content.facts.map(({ name, value }) => ({ name, value: escapeMarkdown(value) })),
        markdown: true,
      },
    ],
    ...(content.link !== null && {
      potentialAction: [{ '@type': 'OpenUri', name: OPEN, targets: [{ os: 'default', uri: content.link }] }],
    }),
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: toAdaptiveCard(content),
      },
    ],
  }
}

/** The styles of tones. Adaptive Cards have no custom colors. */
const STYLES: Readonly<Record<Tone, string>> = {
  blue: 'accent',
  amber: 'warning',
  green: 'good',
  red: 'attention',
}

const OPEN = 'Open the flag'

function toAdaptiveCard({ details, facts, headline, link, tone }: MessageContent): object {
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      {
        type: 'Container',
        style: STYLES[tone],
        bleed: true,
        items: [text(headline, { weight: 'Bolder', size: 'Medium' })],
      },
      ...(details === '' ? [] : [text(details)]),
      { type: 'FactSet', facts: facts.map(toFact) },
    ],
    ...(link !== null && { actions: [{ type: 'Action.OpenUrl', title: OPEN, url: link }] }),
    msteams: { width: 'Full' },
  }
}

const text = (value: string, style: object = {}): object => ({
  type: 'TextBlock',
  text: escapeMarkdown(value),
  wrap: true,
  ...style,
})

const toFact = ({ name, value }: Fact): object => ({ title: name, value: escapeMarkdown(value) })

/**
 * Escapes one line of text for Markdown: without emphasis, link, code or HTML, and without a list or heading
 * at its start. Underscores inside words have no meaning and stay, so that keys can be searched.
 */
const escapeMarkdown = (line: string): string =>
  line
    .replace(/[\\`*[\]<~|]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/^(?:[-+>#])/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2')
