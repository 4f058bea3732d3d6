import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Experiment, ExperimentInput, ExperimentPatch, ExperimentResults } from '../schemas/experiment.ts'
import { Warned } from '../schemas/warning.ts'
import { listQuery } from './list-query.ts'
import { environmentParams, keyedParams } from './params.ts'

export const experimentEndpoints = {
  listExperiments: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/experiments',
    summary: "An environment's experiments",
    description: 'By key.',
    tag: 'Experiment',
    access: 'read_environment',
    params: environmentParams,
    query: Type.Object(listQuery),
    responses: { 200: Type.Array(Experiment) },
    sends: ['X-Next-Cursor'],
  }),
  getExperiment: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/experiments/:key',
    summary: 'One experiment',
    description: 'The results have a separate endpoint.',
    tag: 'Experiment',
    access: 'read_environment',
    addresses: 'experiment',
    params: keyedParams,
    responses: { 200: Experiment },
  }),
  createExperiment: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/experiments',
    summary: 'Create an experiment',
    description: 'It starts as `running`. Users who saw the flag before count as well.',
    tag: 'Experiment',
    access: 'write_experiments',
    params: environmentParams,
    body: ExperimentInput,
    ignores: ['status'],
    responses: { 200: Warned(Experiment) },
    errors: [409],
    refusals: { 409: 'The environment has an experiment with this key' },
  }),
  updateExperiment: endpoint({
    method: 'PATCH',
    path: '/api/environments/:env_id/experiments/:key',
    summary: 'Change an experiment',
    description: 'Any status may follow any other; the data does not change.',
    tag: 'Experiment',
    access: 'write_experiments',
    addresses: 'experiment',
    params: keyedParams,
    body: ExperimentPatch,
    ignores: ['key', 'flag_key'],
    responses: { 200: Warned(Experiment) },
  }),
  deleteExperiment: endpoint({
    method: 'DELETE',
    path: '/api/environments/:env_id/experiments/:key',
    summary: 'Delete an experiment',
    description: 'Its impressions and goal events are kept.',
    tag: 'Experiment',
    access: 'write_experiments',
    addresses: 'experiment',
    params: keyedParams,
    responses: { 204: null },
  }),
  getExperimentResults: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/experiments/:key/results',
    summary: 'The results of an experiment by variant',
    description:
      'A user counts for the value that they saw first, and as converted when they reached the goal then or later. docs/statistics.md has the formulas.',
    tag: 'Experiment',
    access: 'read_environment',
    addresses: 'experiment',
    params: keyedParams,
    responses: { 200: ExperimentResults },
  }),
} as const
