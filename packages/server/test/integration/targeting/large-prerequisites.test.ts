import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

/** Six of them are more than the 4 MiB that are read to find warnings. */
const LARGE = 'x'.repeat(900_000)

let server: TestServer
let at: string
beforeAll(async () => {
  server = await startTestServer()
  at = `/api/environments/${server.environments.development}/flags`
})
afterAll(() => server.close())

const put = async (flag: object) => {
  const answer = await server.call({ path: at, body: { is_enabled: true, flag_type: 'string', ...flag } })
  expect(answer.status).toBe(200)
  return answer.body
}
const needs = (...keys: string[]) => keys.map((flag_key) => ({ flag_key, required_value: 'never' }))
const codes = ({ warnings = [] }: { warnings?: { code: string }[] }) => warnings.map(({ code }) => code)

it('flags that prerequisites reach are read for warnings only while they are small', async () => {
  for (const nth of [1, 2, 3, 4, 5, 6]) {
    const prerequisites = nth > 1 ? needs(`large-${nth - 1}`) : []
    await put({ key: `large-${nth}`, default_value: LARGE, prerequisites })
  }
  expect(codes(await put({ key: 'first', prerequisites: needs('large-1') }))).toEqual([
    'required_value_unreachable',
  ])
  expect(codes(await put({ key: 'all', prerequisites: needs('large-6') }))).toEqual([])
  const read = await server.call({ path: `${at}/all` })
  expect(read.status).toBe(200)
  expect(codes(read.body)).toEqual([])
})
