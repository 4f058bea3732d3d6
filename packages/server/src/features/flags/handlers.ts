import { FlagInput, type flagEndpoints, type Warning } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { WriteDeps } from '../../changes/index.ts'
import type { EndpointHandlers } from '../../kernel/endpoint-handler.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { deleteFlag } from './delete-flag.ts'
import { patchFlag } from './patch-flag.ts'
import { putFlag, type WrittenFlagResult } from './put-flag.ts'
import { findFlag, listFlags } from './queries.ts'
import { etagOf } from './require-revision.ts'
import { findUnknownFields } from './unknown-fields.ts'
import { withWarnings } from './with-warnings.ts'

export interface FlagDeps {
  readonly db: Kysely<Database>
  readonly writes: WriteDeps
}

const FLAG_FIELDS = Object.keys(FlagInput.properties)

export function flagHandlers({ db, writes }: FlagDeps): EndpointHandlers<typeof flagEndpoints> {
  return {
    async listFlags({ scope }) {
      return { status: 200, body: await listFlags(db, scope.environment.id) }
    },
    async getFlag({ params, scope }) {
      const flag = await findFlag(db, scope.environment.id, params.key)
      if (!flag) throw notFound('flag')
      return { status: 200, body: flag, headers: { etag: etagOf(flag.revision) } }
    },
    async putFlag({ actor, body, headers, scope }) {
      const input = { environment_id: scope.environment.id, flag: body, if_match: headers['if-match'] }
      return written(await putFlag(writes, actor, input), findUnknownFields(body, FLAG_FIELDS))
    },
    async patchFlag({ actor, body, headers, params, scope }) {
      const environment_id = scope.environment.id
      const input = { environment_id, key: params.key, patch: body, if_match: headers['if-match'] }
      return written(await patchFlag(writes, actor, input), findUnknownFields(body, FLAG_FIELDS))
    },
    async deleteFlag({ actor, headers, params, scope }) {
      const input = { environment_id: scope.environment.id, key: params.key, if_match: headers['if-match'] }
      await deleteFlag(writes, actor, input)
      return { status: 204, body: null }
    },
  }
}

function written({ flag, warnings }: WrittenFlagResult, unknown_fields: readonly Warning[]) {
  const body = withWarnings(flag, [...warnings, ...unknown_fields])
  return { status: 200, body, headers: { etag: etagOf(flag.revision) } } as const
}
