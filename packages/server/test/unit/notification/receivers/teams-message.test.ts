import { DOMAIN_EVENTS } from '@burgee/contract'
import { describe, expect, test } from 'vitest'
import { toTeamsMessage } from '../../../../src/notification/receivers/chats/messages/teams-message.ts'
import { anOccurrence, aRequest, ENVIRONMENT_ID, PROJECT_ID } from './an-occurrence.ts'
import { HOSTILE, hostileOccurrences } from './hostile-occurrences.ts'

const PUBLIC_URL = 'https://flags.example.com'
const TEAMS_MAX_BYTES = 28 * 1024

interface CardElement {
  type: string
  text?: string
  style?: string
  items?: CardElement[]
  facts?: { title: string; value: string }[]
}
interface TeamsMessage {
  '@type': string
  '@context': string
  themeColor: string
  summary: string
  title: string
  sections: { text?: string; facts: { name: string; value: string }[]; markdown: boolean }[]
  potentialAction?: { targets: { uri: string }[] }[]
  type: string
  attachments: {
    contentType: string
    content: { type: string; version: string; body: CardElement[]; actions?: { url: string }[] }
  }[]
}

const received = (
  ...[occurrence, publicUrl = null]: [Parameters<typeof toTeamsMessage>[0], (string | null)?]
) => JSON.parse(JSON.stringify(toTeamsMessage(occurrence, { publicUrl }))) as TeamsMessage

const cardOf = ({ attachments }: TeamsMessage) => attachments[0]?.content
const elementsOf = (message: TeamsMessage) =>
  (cardOf(message)?.body ?? []).flatMap((element) => [element, ...(element.items ?? [])])

test('one Teams body is a message card and, in its attachments, the same as an Adaptive Card', () => {
  const message = received(anOccurrence('flag.updated'))
  expect(message).toMatchObject({
    '@type': 'MessageCard',
    '@context': 'https://schema.org/extensions',
    type: 'message',
  })
  expect(message.attachments.map(({ contentType }) => contentType)).toEqual([
    'application/vnd.microsoft.card.adaptive',
  ])
  expect(cardOf(message)).toMatchObject({ type: 'AdaptiveCard', version: '1.4' })
  const facts = [
    ['Environment', 'Production'],
    ['Flag', 'new_checkout'],
    ['State', 'enabled'],
    ['Rollout', '25%'],
    ['By', 'ada@example.com'],
  ]
  expect(message.sections[0]?.facts.map(({ name, value }) => [name, value])).toEqual(facts)
  const cardsFacts = elementsOf(message).flatMap((element) => element.facts ?? [])
  expect(cardsFacts.map(({ title, value }) => [title, value])).toEqual(facts)
  const headline = 'ada@example.com changed flag new_checkout in Production'
  expect(message).toMatchObject({ title: headline, summary: headline })
  expect(message.sections[0]?.text).toBe('rollout 10% -> 25%')
  const texts = elementsOf(message).flatMap(({ text }) => text ?? [])
  expect(texts).toEqual([headline, 'rollout 10% -> 25%'])
})

test('the style of a Teams message is amber for queued, green for approved, red for rejected or deleted', () => {
  const messages = DOMAIN_EVENTS.map((type) => received(anOccurrence(type)))
  const [blue, amber, green, red] = ['2563eb', 'f59e0b', '16a34a', 'dc2626']
  expect(messages.map(({ themeColor }) => themeColor)).toEqual([blue, blue, red, blue, amber, green, red])
  const styles = messages.map((message) => elementsOf(message)[0]?.style)
  expect(styles).toEqual(['accent', 'accent', 'attention', 'accent', 'warning', 'good', 'attention'])
})

test('a Teams message about a rejection contains its reason on both cards', () => {
  const change_request = aRequest({ reason: 'Too soon' })
  const message = received(anOccurrence('change_request.rejected', { change_request }))
  expect(message.sections[0]?.facts).toContainEqual({ name: 'Reason', value: 'Too soon' })
  expect(elementsOf(message).flatMap(({ facts = [] }) => facts)).toContainEqual({
    title: 'Reason',
    value: 'Too soon',
  })
})

test('a Teams message links to the flag when PUBLIC_URL is set', () => {
  const url = `${PUBLIC_URL}/projects/${PROJECT_ID}/environments/${ENVIRONMENT_ID}/flags/new_checkout`
  const linked = received(anOccurrence('flag.updated'), PUBLIC_URL)
  expect(linked.potentialAction?.[0]?.targets[0]?.uri).toBe(url)
  expect(cardOf(linked)?.actions?.[0]?.url).toBe(url)
  const unlinked = received(anOccurrence('flag.updated'))
  expect(unlinked).not.toHaveProperty('potentialAction')
  expect(cardOf(unlinked)).not.toHaveProperty('actions')
})

test('a Teams message shows Markdown as it was entered', () => {
  const shown = (name: string) =>
    received(anOccurrence('flag.updated', { environment: { id: 'x', name, slug: 'x' } })).sections[0]
      ?.facts[0]?.value
  expect(shown('*a* `b` [c](d) <e> ~f~')).toBe('\\*a\\* \\`b\\` \\[c\\](d) \\<e> \\~f\\~')
  expect(shown('_a_ snake_case_key')).toBe('\\_a\\_ snake_case_key')
  expect(shown('- a')).toBe('\\- a')
  expect(shown('1. a')).toBe('1\\. a')
  expect(shown('a - 1. # b')).toBe('a - 1. # b')
})

/** Returns what Teams would refuse, or interpret as more than text. */
function problemsOf(message: TeamsMessage): string[] {
  const size = Buffer.byteLength(JSON.stringify(message))
  const elements = elementsOf(message)
  const texts = [
    message.summary,
    message.title,
    ...message.sections.flatMap(({ facts, text = [] }) => [text, facts.map(({ value }) => value)].flat()),
    ...elements.flatMap(({ facts = [], text = [] }) => [text, facts.map(({ value }) => value)].flat()),
  ]
  return [
    ...(size > TEAMS_MAX_BYTES ? [`${size} bytes`] : []),
    ...texts.filter((text) => text === '' || !text.isWellFormed()).map((text) => `odd: ${text}`),
    ...texts
      .filter((text) => /[`*[\]<~|\n]/.test(text.replace(/\\./g, '')))
      .map((text) => `unescaped: ${text}`),
  ]
}

describe('Teams messages with hostile text', () => {
  test.each(HOSTILE.map((text) => [text.slice(0, 20), text]))(
    'in a Teams message %j stays text and within 28 KB',
    (_, text) => {
      const messages = hostileOccurrences(text).map((occurrence) => received(occurrence, PUBLIC_URL))
      expect(messages.flatMap(problemsOf)).toEqual([])
    },
  )
})
