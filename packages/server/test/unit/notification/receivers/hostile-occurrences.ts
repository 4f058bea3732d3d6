import { DOMAIN_EVENTS } from '@burgee/contract'
import type { DomainEventRecord } from '../../../../src/kernel/domain-event-payload.ts'
import { aFlag, anOccurrence, aRequest, ENVIRONMENT_ID } from './an-occurrence.ts'

/** Texts with a meaning in Slack, Teams, Markdown, HTML or JSON, and long or unusual ones. */
export const HOSTILE: readonly string[] = [
  '<!channel>',
  '<!here|here>',
  '<@U012345>',
  '<https://evil.example|Open the flag>',
  '&lt;!channel&gt;',
  '&amp;',
  '&',
  '<',
  '>',
  '> quote',
  '@channel',
  '#general',
  '# heading',
  '- item',
  '+ item',
  '1. item',
  '1) item',
  '*bold*',
  '**bold**',
  '_italic_',
  '__bold__',
  '~strike~',
  '`code`',
  '```\ncode\n```',
  '[Open the flag](https://evil.example)',
  '![image](https://evil.example/x.png)',
  '[x]: https://evil.example',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<at>everyone</at>',
  '{{DATE(2026-01-01T00:00:00Z, SHORT)}}',
  '$'.concat('{user.name}'),
  '@{triggerBody()}',
  '\\',
  '\\*not bold\\*',
  '"quoted"',
  "'quoted'",
  '","color":"#000000',
  '|table|cell|',
  'line\nbreak',
  'carriage\r\nreturn',
  'tab\tbed',
  '\u{0}nul',
  '\u{1b}[31mred',
  '\u{202e}reversed',
  '\u{2028}separator',
  '\u{feff}mark',
  'Grüße',
  '部署完成',
  'مرحبا',
  '👩‍👩‍👧‍👦',
  '',
  ' ',
  ' '.repeat(2_000),
  'x'.repeat(2_000),
  '&'.repeat(2_000),
  '<'.repeat(2_000),
  '\\'.repeat(2_000),
  '*'.repeat(2_000),
  '_ '.repeat(2_000),
  '"'.repeat(2_000),
  '漢'.repeat(2_000),
  '👋'.repeat(2_000),
  'a👋'.repeat(1_000),
  'x\n'.repeat(2_000),
  '__proto__',
]

/** The longest key, of letters, digits, underscores and hyphens (docs/reference/flags.md#flag-fields). */
const KEY = `_${'k-'.repeat(49)}_`

/** Returns every event with `text` wherever users can enter text. */
export function hostileOccurrences(text: string): DomainEventRecord[] {
  const environment = { id: ENVIRONMENT_ID, name: text, slug: 'x' }
  const rule = { attribute: text, operator: 'equals' as const, values: [text, text], variant: text }
  const odd = aFlag({
    key: KEY,
    description: text,
    flag_type: 'json',
    rules: Array.from({ length: 12 }, (_, at) => ({ ...rule, values: [text, String(at)] })),
    default_value: { [text]: text },
    disabled_value: text,
    variants: Array.from({ length: 12 }, (_, at) => ({ weight: at, value: text + at })),
    prerequisites: [{ flag_key: KEY, required_value: text }],
    tags: Array.from({ length: 12 }, (_, at) => text + at),
    owner_email: text,
  })
  const change_request = aRequest({
    requested_by: `${text}!`,
    reviewed_by: text,
    reason: text,
    scheduled_at: '2026-04-01T00:00:00.000Z',
    patch: { description: text, [text]: text },
  })
  const base = {
    environment,
    flag_key: KEY,
    actor_email: text,
    source_environment: environment,
    change_request,
  }
  return DOMAIN_EVENTS.flatMap((type) => [
    anOccurrence(type, { ...base, flag: odd, previous: aFlag() }),
    anOccurrence(type, { ...base, flag: aFlag(), previous: odd }),
    anOccurrence(type, { ...base, flag: odd, previous: null }),
    anOccurrence(type, { ...base, flag: null, previous: odd }),
    anOccurrence(type, { ...base, flag: null, previous: null }),
  ])
}
