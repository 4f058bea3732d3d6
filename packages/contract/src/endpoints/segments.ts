import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Commented, commentQuery } from '../schemas/comment.ts'
import {
  Segment,
  SegmentInput,
  SegmentPatch,
  SegmentPreview,
  SegmentPreviewInput,
  WrittenSegment,
} from '../schemas/segment.ts'
import { ifMatch } from './if-match.ts'
import { listQuery } from './list-query.ts'
import { environmentParams, keyedParams } from './params.ts'

export const segmentEndpoints = {
  listSegments: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/segments',
    summary: "An environment's segments",
    description: 'In the order of their keys. References to other segments are not expanded.',
    tag: 'Segment',
    access: 'read_environment',
    params: environmentParams,
    query: Type.Object(listQuery),
    responses: { 200: Type.Array(Segment) },
    sends: ['X-Next-Cursor'],
  }),
  getSegment: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/segments/:key',
    summary: 'One segment',
    description: 'References to other segments are not expanded.',
    tag: 'Segment',
    access: 'read_environment',
    addresses: 'segment',
    params: keyedParams,
    responses: { 200: Segment },
    sends: ['ETag'],
  }),
  createSegment: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/segments',
    summary: 'Create a segment',
    description: 'Flags that already name the key are sent to SDKs again, with its rules.',
    tag: 'Segment',
    access: 'write_segments',
    params: environmentParams,
    body: SegmentInput,
    responses: { 200: WrittenSegment },
    errors: [409],
    refusals: {
      409: 'The environment has a segment with this key',
    },
    sends: ['ETag'],
  }),
  previewSegment: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/segments/preview',
    summary:
      'What writing a segment would change for the flags that depend on it, and the warnings that it would have',
    description:
      'With a key that does not exist, the preview is of a new segment. `problem` states why the write would be 403. Nothing is stored and nothing is delivered.',
    tag: 'Segment',
    access: 'write_segments',
    changesNothing: true,
    params: environmentParams,
    body: SegmentPreviewInput,
    responses: { 200: SegmentPreview },
    errors: [409],
    refusals: {
      404: 'There is no such environment, or no such segment to delete',
      409: 'The environment has another segment with the new key',
      422: 'A rule is incomplete, or a flag would come to too much',
    },
  }),
  patchSegment: endpoint({
    method: 'PATCH',
    path: '/api/environments/:env_id/segments/:key',
    summary: 'Change a segment by JSON merge patch',
    description:
      'Every flag that depends on it is sent to SDKs again. A new key is written into the rules that name it.',
    tag: 'Segment',
    access: 'write_segments',
    addresses: 'segment',
    params: keyedParams,
    headers: ifMatch,
    body: Commented(SegmentPatch),
    responses: { 200: WrittenSegment },
    errors: [409, 412],
    refusals: {
      409: 'The environment has another segment with this key',
    },
    sends: ['ETag'],
  }),
  deleteSegment: endpoint({
    method: 'DELETE',
    path: '/api/environments/:env_id/segments/:key',
    summary: 'Delete a segment',
    description: 'Flags that depend on it are sent to SDKs again, without its rules.',
    tag: 'Segment',
    access: 'write_segments',
    addresses: 'segment',
    params: keyedParams,
    headers: ifMatch,
    query: commentQuery,
    responses: { 204: null },
    errors: [412],
  }),
} as const
