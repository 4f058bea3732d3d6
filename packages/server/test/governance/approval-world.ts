import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startTestServer, type TestServer } from '../harness/start-test-server.ts'
import { createEnvironmentCalls, type EnvironmentCalls } from './environment-calls.ts'
import { createPeople, type People } from './people.ts'

/** Server and people of a test of approvals, and a flag key that is new in each test. */
export interface ApprovalWorld {
  readonly server: TestServer
  readonly people: People
  readonly production: EnvironmentCalls
  readonly key: string
  /** The number of the test, which makes keys unique. */
  readonly count: number
}

/**
 * Starts the world before the tests of a file and gives it to `assign`, again before each test with a new
 * key. `before` is the approval setting of Production with which each test begins.
 */
export function useApprovalWorld(assign: (world: ApprovalWorld) => void, before: object): void {
  let base: Omit<ApprovalWorld, 'key' | 'count'>
  let count = 0
  beforeAll(async () => {
    const server = await startTestServer()
    const people = await createPeople(server)
    base = { server, people, production: createEnvironmentCalls(server, server.environments.production) }
  })
  afterAll(() => base.server.close())
  beforeEach(async () => {
    count += 1
    assign({ ...base, key: `flag-${count}`, count })
    const { status } = await base.production.require(before)
    if (status !== 200) throw new Error(`the approval setting was refused with ${status}`)
  })
}
