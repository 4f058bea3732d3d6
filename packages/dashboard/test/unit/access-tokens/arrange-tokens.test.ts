import type { AccessToken } from '@burgee/contract'
import { expect, it } from 'vitest'
import { arrangeTokens } from '../../../src/parts/access-tokens/index.ts'

const token = (id: number, parent_id: number | null): AccessToken => ({
  ...{ id, parent_id, parent_name: parent_id === null ? null : 'Parent', name: 'CI', prefix: 'pat_…' },
  ...{ scope: 'read_only', created_at: '', expires_at: null, last_used_at: null, last_address: null },
})

it('each token is followed by those that were created with it, and a parent elsewhere is none', () => {
  const tokens = [
    token(1, null),
    token(2, null),
    token(3, 1),
    token(4, 2),
    token(5, 3),
    token(6, 99),
    token(7, 1),
  ]
  expect(arrangeTokens(tokens).map(({ depth, token: { id } }) => [id, depth])).toEqual([
    [1, 0],
    [3, 1],
    [5, 2],
    [7, 1],
    [2, 0],
    [4, 1],
    [6, 0],
  ])
})
