import type { importEndpoints } from '@burgee/contract'
import type { Clock } from '../../platform/clock.ts'
import type { EndpointHandlers } from '../../platform/endpoint-handler.ts'
import { JSON_HEADERS } from '../../platform/stream-json.ts'
import type { Translator } from './create-translator.ts'

interface ImportDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly translator: Translator
}

export function importHandlers({ clock, translator }: ImportDeps): EndpointHandlers<typeof importEndpoints> {
  return {
    async importFiles({ body }) {
      const bytes = await translator.translate({ ...body, nowMs: clock.now().getTime() })
      return { status: 200, bytes, headers: JSON_HEADERS }
    },
  }
}
