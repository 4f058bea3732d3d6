import type { HostileInput } from '../hostile-input.ts'

/** Schemas of values, and values, whose check multiplies. */
export const schemas: HostileInput = {
  name: 'schemas',
  create: () => [
    {
      as: 'server',
      method: 'POST',
      path: '/api/environments/:env_id/flags/preview',
      body: {
        key: 'hostile',
        is_enabled: true,
        flag_type: 'json',
        default_value: Array.from({ length: 1_000 }, (_, at) => at),
        value_schema: { anyOf: Array.from({ length: 4 }, () => ({ uniqueItems: true, maxItems: 1 })) },
      },
    },
  ],
}
