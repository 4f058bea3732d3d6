import { findUnknownFields, SegmentInput, type segmentEndpoints, type Warning } from '@burgee/contract'
import { etagOf } from '../../kernel/etag-of.ts'
import { readCursor } from '../../kernel/list-cursor.ts'
import { listLimit } from '../../kernel/paging.ts'
import { notFound } from '../../kernel/refusal.ts'
import { withWarnings } from '../../kernel/with-warnings.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { type ListDeps, replyWithList } from '../../platform/replies/reply-with-list.ts'
import { preconditionsOf } from '../flag-model/index.ts'
import { createSegment, type SegmentDeps, type WrittenSegmentResult } from './create-segment.ts'
import { deleteSegment } from './delete-segment.ts'
import { patchSegment } from './patch-segment.ts'
import { previewSegment } from './preview-segment.ts'
import { findSegment, segmentList } from './queries.ts'

const SEGMENT_FIELDS = Object.keys(SegmentInput.properties)

export function segmentHandlers(
  deps: ListDeps & { readonly writes: SegmentDeps },
): EndpointHandlers<typeof segmentEndpoints> {
  const { db, writes } = deps
  return {
    async listSegments({ query, scope }) {
      const [after = null] = readCursor('segments', ['text'], query.cursor) ?? []
      const list = segmentList(scope.environment.id, after === null ? null : String(after))
      return replyWithList(deps, { name: 'segments', query: list, limit: listLimit(query.limit) })
    },
    async getSegment({ params, scope }) {
      const segment = await findSegment(db, scope.environment.id, params.key)
      if (!segment) throw notFound('segment')
      return { status: 200, body: segment, headers: { etag: etagOf(segment.revision) } }
    },
    async createSegment({ actor, body, scope }) {
      const created = await createSegment(writes, actor, {
        environment_id: scope.environment.id,
        input: body,
      })
      await shareTurn()
      return written(created, findUnknownFields(body, SEGMENT_FIELDS))
    },
    async previewSegment({ actor, body, scope }) {
      const input = { environment_id: scope.environment.id, ...body }
      const preview = await previewSegment(writes, actor, input)
      return { status: 200, body: preview }
    },
    async patchSegment({ actor, body, headers, params, scope }) {
      const preconditions = preconditionsOf(headers)
      const input = { environment_id: scope.environment.id, key: params.key, patch: body, preconditions }
      const patched = await patchSegment(writes, actor, input)
      await shareTurn()
      return written(patched, findUnknownFields(body, SEGMENT_FIELDS))
    },
    async deleteSegment({ actor, headers, params, scope }) {
      const preconditions = preconditionsOf(headers)
      await deleteSegment(writes, actor, {
        environment_id: scope.environment.id,
        key: params.key,
        preconditions,
      })
      return { status: 204, body: null }
    },
  }
}

function written({ segment, warnings }: WrittenSegmentResult, unknownFields: readonly Warning[]) {
  const body = withWarnings(segment, [...warnings, ...unknownFields])
  return { status: 200, body, headers: { etag: etagOf(segment.revision) } } as const
}
