import { endpoint } from '../endpoint.ts'
import { EVALUATE_HISTORY_CHANGES_MAX, IMPACT_BODY_MAX_BYTES } from '../limits.ts'
import {
  EvaluateHistoryInput,
  EvaluateHistoryResult,
  EvaluateInput,
  EvaluateResult,
} from '../schemas/evaluation.ts'
import { Impact, ImpactInput } from '../schemas/impact.ts'
import { environmentParams } from './params.ts'

export const evaluateEndpoints = {
  evaluateEnvironment: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/evaluate',
    summary: 'Evaluate flags for a user, with the reasons',
    description:
      'By the engine of the SDKs. Nothing is recorded. An unknown flag is an item with `FLAG_NOT_FOUND`. Client keys evaluate with OFREP.',
    tag: 'Flag',
    access: 'read_environment',
    params: environmentParams,
    body: EvaluateInput,
    bodyOptional: true,
    responses: { 200: EvaluateResult },
    changesNothing: true,
    refusals: {
      422: 'The body is invalid, or `at` or `revision` is in the future or before what is known',
    },
  }),
  evaluateHistory: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/evaluate/history',
    summary: 'The values that a user got in a window of time',
    description:
      'Replays the changes of the environment, with the attributes of the body throughout. Nothing is recorded. A caller has one analysis at a time; when too many wait, it is refused with 503.',
    tag: 'Flag',
    access: 'read_environment',
    params: environmentParams,
    body: EvaluateHistoryInput,
    responses: { 200: EvaluateHistoryResult },
    changesNothing: true,
    refusals: {
      422: `The window is in the future or before what is known, ends before it begins, or has more than ${EVALUATE_HISTORY_CHANGES_MAX} changes`,
    },
  }),
  findImpact: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/impact',
    summary: 'Who gets another result by changes that are not made',
    description:
      'Evaluates the users who were seen, or given ones, before and after the changes. Nothing is stored or recorded. A caller has one analysis at a time; when too many wait, it is refused with 503.',
    tag: 'Flag',
    access: 'read_environment',
    params: environmentParams,
    body: ImpactInput,
    bodyMaxBytes: IMPACT_BODY_MAX_BYTES,
    responses: { 200: Impact },
    changesNothing: true,
    refusals: { 409: 'A segment of the new key exists', 422: 'A write would refuse one of the changes' },
    errors: [409],
  }),
} as const
