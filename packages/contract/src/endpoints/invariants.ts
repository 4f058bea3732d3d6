import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { IMPACT_BODY_MAX_BYTES, INVARIANT_MAX_BYTES, INVARIANTS_MAX } from '../limits.ts'
import { key } from '../schemas/common.ts'
import {
  Invariant,
  InvariantCheck,
  InvariantCheckInput,
  InvariantInput,
  InvariantPatch,
} from '../schemas/invariant.ts'
import { projectParams } from './params.ts'

const invariantParams = Type.Object({
  ...projectParams.properties,
  key: key({ description: 'The key of the invariant' }),
})
const VIOLATED =
  'It is not exactly one demand, names an unknown environment, or is to block and is violated now: `error` then names a user who shows it, evaluated. So is one that cannot be decided'

/** Demands on what users can get of flags (docs/trust.md#invariants). */
export const invariantEndpoints = {
  listInvariants: endpoint({
    method: 'GET',
    path: '/api/projects/:project_id/invariants',
    summary: "A project's invariants",
    description: 'By key.',
    tag: 'Flag',
    access: 'read_project',
    params: projectParams,
    responses: { 200: Type.Array(Invariant) },
  }),
  createInvariant: endpoint({
    method: 'POST',
    path: '/api/projects/:project_id/invariants',
    summary: 'Create an invariant',
    description: 'It is decided for every user in the environments that it covers, which are locked.',
    tag: 'Flag',
    access: 'write_project',
    needsRecentLogin: true,
    params: projectParams,
    body: InvariantInput,
    bodyMaxBytes: INVARIANT_MAX_BYTES,
    responses: { 200: Invariant },
    errors: [409],
    refusals: {
      409: `The project has an invariant with this key, or ${INVARIANTS_MAX} of them`,
      422: VIOLATED,
    },
  }),
  checkInvariants: endpoint({
    method: 'POST',
    path: '/api/projects/:project_id/invariants/check',
    summary: 'Decide invariants for every user of an environment',
    description:
      'Of the project or given ones, also after changes that are not made. Nothing is stored or recorded. A server key checks its own environment. A caller has one analysis at a time; when too many wait, it is refused with 503.',
    tag: 'Flag',
    access: 'read_project',
    params: projectParams,
    body: InvariantCheckInput,
    bodyMaxBytes: IMPACT_BODY_MAX_BYTES,
    responses: { 200: Type.Array(InvariantCheck) },
    changesNothing: true,
    errors: [409],
    refusals: {
      403: 'The caller may not read the environment, or the key is of another one',
      409: 'A segment of the new key exists',
      422: 'The project has no such environment, a demand is wrong, or a write would refuse one of the changes',
    },
  }),
  updateInvariant: endpoint({
    method: 'PATCH',
    path: '/api/projects/:project_id/invariants/:key',
    summary: 'Change an invariant',
    description: 'It is decided again, as when it is created.',
    tag: 'Flag',
    access: 'write_project',
    needsRecentLogin: true,
    addresses: 'invariant',
    params: invariantParams,
    body: InvariantPatch,
    bodyMaxBytes: INVARIANT_MAX_BYTES,
    responses: { 200: Invariant },
    refusals: { 422: VIOLATED },
  }),
  deleteInvariant: endpoint({
    method: 'DELETE',
    path: '/api/projects/:project_id/invariants/:key',
    summary: 'Delete an invariant',
    description: 'Flags do not change.',
    tag: 'Flag',
    access: 'write_project',
    needsRecentLogin: true,
    addresses: 'invariant',
    params: invariantParams,
    responses: { 204: null },
  }),
} as const
