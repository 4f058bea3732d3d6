import type { TypedFlag } from '../../../src/index.ts'

/** Returns a flag with defaults. */
export const flagOf = (fields: Partial<TypedFlag> & Pick<TypedFlag, 'key'>): TypedFlag => ({
  flag_type: 'boolean',
  description: null,
  owner_email: null,
  default_value: true,
  disabled_value: false,
  variants: [],
  rules: [],
  archived_at: null,
  ...fields,
})

export const FLAGS: readonly TypedFlag[] = [
  flagOf({
    key: 'new-checkout',
    description: 'Sells in one step',
    owner_email: 'ann@example.com',
    links: [{ title: 'Ticket', url: 'https://tracker.example.com/1' }],
  }),
  flagOf({
    key: 'theme',
    flag_type: 'string',
    default_value: 'light',
    disabled_value: null,
    variants: [{ weight: 1, value: 'dark' }],
  }),
  flagOf({ key: 'seats', flag_type: 'integer', default_value: 5, disabled_value: 1 }),
  flagOf({ key: 'discount', flag_type: 'json', default_value: 0.5, disabled_value: 0 }),
  flagOf({
    key: 'limits',
    flag_type: 'json',
    default_value: null,
    disabled_value: { seats: 1 },
    value_schema: {
      type: 'object',
      properties: { seats: { type: 'integer' }, plan: { enum: ['free', 'pro'] } },
      required: ['seats'],
    },
  }),
  flagOf({ key: 'old', archived_at: '2026-01-02T03:04:05.000Z' }),
  flagOf({ key: 'late', expires_at: '2026-01-02T03:04:05.000Z' }),
]

export const NOW = '2026-02-20T20:00:00.000Z'

const ATTACKS = [
  `'; import('evil'); '`,
  '*/ import("evil") /*',
  '\\',
  "\\'",
  '`$' + '{evil}`',
  '\u2028evil()\u2029',
  'a\nb\r\nc',
  '\u202eevil\u202c\u0000\ud800',
  '</script>',
  '@deprecated no @see x',
]

/** Flags whose every text tries to leave its place in generated code. */
export const HOSTILE_FLAGS: readonly TypedFlag[] = ATTACKS.map((text, at) =>
  flagOf({
    key: `${text}${at}`,
    description: text,
    owner_email: text,
    links: [{ title: text, url: text }],
    ...(at % 2 === 0
      ? { flag_type: 'string', default_value: text, disabled_value: `${text}!` }
      : {
          flag_type: 'json',
          default_value: null,
          disabled_value: null,
          value_schema: {
            properties: { [text]: { enum: [text, 1] } },
            required: [text],
          },
        }),
    ...(at % 3 === 0 && { archived_at: text }),
    variant_names: { [text]: text },
  }),
)
