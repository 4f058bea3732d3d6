import type {
  evaluateEndpoints,
  exceededBoundEndpoints,
  experimentEndpoints,
  lifecycleEndpoints,
} from '@burgee/contract'
import type { Basics } from '../changes/index.ts'
import type { EvaluationSets } from '../kernel/evaluation-set.ts'
import { type Domain, EMPTY, environmentOf, projectOf } from '../platform/composition.ts'
import { rowExists } from '../platform/db/row-exists.ts'
import { createLoadMoment, evaluateHandlers } from './evaluate/index.ts'
import {
  createExceededBounds,
  createExceededBoundsLog,
  exceededBoundHandlers,
} from './exceeded-bounds/index.ts'
import { experimentHandlers } from './experiments/index.ts'
import { lifecycleHandlers, projectFlagExists } from './lifecycle/index.ts'

type Endpoints = Omit<typeof evaluateEndpoints, 'findImpact'> &
  typeof experimentEndpoints &
  typeof lifecycleEndpoints &
  typeof exceededBoundEndpoints

/** Composes what computes something of flags and reports, and changes no flag. */
export function composeInsight(
  basics: Basics,
  { sets }: { readonly sets: EvaluationSets },
): Domain<null, Endpoints, 'experiment' | 'project_flag'> {
  const { db, lists } = basics
  const exceededBounds = createExceededBounds(db)
  return {
    ...EMPTY,
    parts: null,
    handlers: {
      ...evaluateHandlers({ ...basics, ...lists, loadMoment: createLoadMoment({ ...basics, sets }) }),
      ...experimentHandlers({ ...basics, ...lists }),
      ...lifecycleHandlers({ ...basics, sets }),
      ...exceededBoundHandlers({ ...basics, exceededBounds }),
    },
    lookups: {
      experiment: (at) =>
        rowExists(db, 'experiments', { environment_id: environmentOf(at), key: String(at.params.key) }),
      project_flag: (at) => projectFlagExists(db, projectOf(at), String(at.params.key)),
    },
    texts: {
      '/api/environments/:env_id/experiments/:key': {
        table: 'experiments',
        column: 'key',
        scope: ['environment_id', 'env_id'],
      },
    },
    workers: [
      {
        name: 'log of exceeded bounds',
        waitsForListening: true,
        ...createExceededBoundsLog({ ...basics, exceededBounds }),
      },
    ],
  }
}
