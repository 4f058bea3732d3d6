import { SegmentInput, type segmentEndpoints, type Warning } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { EndpointHandlers } from '../../kernel/endpoint-handler.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { findUnknownFields, withWarnings } from '../flags/index.ts'
import { createSegment, type SegmentDeps, type WrittenSegmentResult } from './create-segment.ts'
import { deleteSegment } from './delete-segment.ts'
import { patchSegment } from './patch-segment.ts'
import { findSegment, listSegments } from './queries.ts'

const SEGMENT_FIELDS = Object.keys(SegmentInput.properties)

export function segmentHandlers(deps: {
  readonly db: Kysely<Database>
  readonly writes: SegmentDeps
}): EndpointHandlers<typeof segmentEndpoints> {
  const { db, writes } = deps
  return {
    async listSegments({ scope }) {
      return { status: 200, body: await listSegments(db, scope.environment.id) }
    },
    async getSegment({ params, scope }) {
      const segment = await findSegment(db, scope.environment.id, params.key)
      if (!segment) throw notFound('segment')
      return { status: 200, body: segment }
    },
    async createSegment({ actor, body, scope }) {
      const created = await createSegment(writes, actor, {
        environment_id: scope.environment.id,
        input: body,
      })
      return written(created, findUnknownFields(body, SEGMENT_FIELDS))
    },
    async patchSegment({ actor, body, params, scope }) {
      const input = { environment_id: scope.environment.id, key: params.key, patch: body }
      return written(await patchSegment(writes, actor, input), findUnknownFields(body, SEGMENT_FIELDS))
    },
    async deleteSegment({ actor, params, scope }) {
      await deleteSegment(writes, actor, { environment_id: scope.environment.id, key: params.key })
      return { status: 204, body: null }
    },
  }
}

function written({ segment, warnings }: WrittenSegmentResult, unknown_fields: readonly Warning[]) {
  return { status: 200, body: withWarnings(segment, [...warnings, ...unknown_fields]) } as const
}
