import { DOMAIN_EVENTS } from '@burgee/contract'
import { describe, expect, test } from 'vitest'
import { toSlackMessage } from '../../../../src/notification/receivers/chats/messages/slack-message.ts'
import { anOccurrence, aRequest, ENVIRONMENT_ID, PROJECT_ID } from './an-occurrence.ts'
import { HOSTILE, hostileOccurrences } from './hostile-occurrences.ts'

const PUBLIC_URL = 'https://flags.example.com'

interface SlackText {
  type: string
  text: string
  verbatim: boolean
}
interface SlackBlock {
  type: string
  text?: SlackText
  fields?: SlackText[]
  elements?: SlackText[]
}
interface SlackMessage {
  text: string
  blocks: SlackBlock[]
  attachments: { color: string; blocks: SlackBlock[] }[]
}

/** Returns the message as a receiver reads it. */
const received = (
  ...[occurrence, publicUrl = null]: [Parameters<typeof toSlackMessage>[0], (string | null)?]
) => JSON.parse(JSON.stringify(toSlackMessage(occurrence, { publicUrl }))) as SlackMessage

const allBlocks = ({ attachments, blocks }: SlackMessage) => [
  ...blocks,
  ...attachments.flatMap((attachment) => attachment.blocks),
]
const textsOf = ({ elements = [], fields = [], text }: SlackBlock) => [
  ...(text ? [text] : []),
  ...fields,
  ...elements,
]

test('a Slack message has a fallback text, blocks with the message, and an attachment with the color bar', () => {
  const { attachments, blocks, text } = received(anOccurrence('flag.updated'))
  const headline = 'ada@example.com changed flag new_checkout in Production'
  expect(text).toBe(`${headline}: rollout 10% -&gt; 25%`)
  expect(blocks.flatMap(textsOf).map((each) => each.text)).toEqual([`*${headline}*\nrollout 10% -&gt; 25%`])
  expect(attachments).toHaveLength(1)
  expect(attachments[0]?.blocks[0]?.fields?.map((field) => field.text)).toEqual([
    '*Environment*\nProduction',
    '*Flag*\nnew_checkout',
    '*State*\nenabled',
    '*Rollout*\n25%',
    '*By*\nada@example.com',
  ])
})

test('the color bar of a Slack message is amber for queued, green for approved, red for rejected or deleted', () => {
  const colors = DOMAIN_EVENTS.map((type) => received(anOccurrence(type)).attachments[0]?.color)
  const [blue, amber, green, red] = ['#2563eb', '#f59e0b', '#16a34a', '#dc2626']
  expect(colors).toEqual([blue, blue, red, blue, amber, green, red])
})

test('a Slack message about a rejection contains its reason', () => {
  const change_request = aRequest({ reason: 'Too soon' })
  const message = received(anOccurrence('change_request.rejected', { change_request }))
  expect(
    allBlocks(message)
      .flatMap(textsOf)
      .map(({ text }) => text),
  ).toContain('*Reason*\nToo soon')
})

test('a Slack message links to the flag when PUBLIC_URL is set', () => {
  const path = `/projects/${PROJECT_ID}/environments/${ENVIRONMENT_ID}/flags/new_checkout`
  const linked = JSON.stringify(received(anOccurrence('flag.updated'), PUBLIC_URL))
  expect(linked).toContain(`<${PUBLIC_URL}${path}|Open the flag>`)
  expect(JSON.stringify(received(anOccurrence('flag.updated')))).not.toContain('Open the flag')
  const odd = JSON.stringify(received(anOccurrence('flag.updated'), 'https://x.example/a|b>c&d'))
  expect(odd).toContain('<https://x.example/a%7Cb%3Ec&amp;d/projects/')
})

/** Returns what Slack would refuse, or interpret as more than text. */
function problemsOf(message: SlackMessage): string[] {
  const blocks = allBlocks(message)
  const problems: string[] = []
  const require = (holds: boolean, problem: string) => void (holds || problems.push(problem))
  require(blocks.length <= 50, 'too many blocks')
  require(message.text.length <= 3_000, 'the text is too long')
  for (const { fields = [], text } of blocks) {
    require(fields.length <= 10, 'too many fields')
    require((text?.text.length ?? 1) <= 3_000, 'a section is too long')
    require(fields.every((field) => field.text.length <= 2_000), 'a field is too long')
  }
  const shown = blocks.flatMap(textsOf)
  require(shown.every((each) => each.type === 'mrkdwn' && each.verbatim), 'a text is not verbatim')
  for (const each of [message.text, ...shown.map(({ text }) => text)]) {
    require(each !== '' && each.isWellFormed(), 'a text is empty or holds half a character')
    require(OUR_LINK.test(each) || !/[<>]|&(?!(?:amp|lt|gt);)/.test(each), `unescaped: ${each}`)
  }
  return problems
}

const OUR_LINK = /^<https:\/\/flags\.example\.com\/[^<>|]*\|Open the flag>$/

describe('Slack messages with hostile text', () => {
  test.each(HOSTILE.map((text) => [text.slice(0, 20), text]))(
    'in a Slack message %j stays text and within the limits',
    (_, text) => {
      const messages = hostileOccurrences(text).map((occurrence) => received(occurrence, PUBLIC_URL))
      expect(messages.flatMap(problemsOf)).toEqual([])
    },
  )
})
