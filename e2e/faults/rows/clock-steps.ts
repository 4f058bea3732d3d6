import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import { bearer, callApi, createKeyFor, patchFlag, putFlag, signIn } from '../../harness/call-api.ts'
import { startSdkClient } from '../../harness/start-sdk-client.ts'
import { ADMIN, type RunningServer, startServer } from '../../harness/start-server.ts'
import { withDatabase } from '../../harness/with-database.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { createSharedDatabase } from '../shared-postgres.ts'

const STEPS = { short: 1, full: 40 }
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** The time from scheduling a change until it is due. */
const DUE_IN_MS = 500
/**
 * The time in which a change must be executed (docs/reference/governance.md#scheduled-changes), with the
 * duration of a step on a busy machine.
 */
const EXECUTED_WITHIN_MS = 5_000
const PROGRAM = new URL('../../programs/shift-clock.mjs', import.meta.url)
const RATE_LIMIT = { short: 60, full: 300 }

export const fault: Fault = {
  group: 'dependencies',
  title: 'The clock of the machine with the server is moved forward and back by one hour',
  promise:
    'Sessions, login locks, rate limits and streams work as if the clock had not moved. Scheduled changes run exactly once, at the time of the database.',
  async run(stage, scale) {
    const steps = countOf(scale, STEPS)
    const databaseUrl = await createSharedDatabase()
    const clockFile = join(stage.folder('clock'), 'shift')
    const env = {
      NODE_OPTIONS: `--import=${PROGRAM.href}`,
      BURGEE_CLOCK_FILE: clockFile,
      RATE_LIMIT_REQUESTS: String(RATE_LIMIT[scale]),
    }
    const server = await startServer(stage, { databaseUrl, env })
    const { url } = server
    const admin = await signIn(url)
    const { environment_id: environmentId, key } = await createKeyFor(url, 'production')
    await putFlag(url, environmentId, { key: 'step', flag_type: 'integer', default_value: 0 }, admin)
    await putFlag(url, environmentId, { key: 'scheduled' }, admin)
    const sdk = startSdkClient(stage, { url, sdkKey: key })
    await eventually(async () => (await sdk.status()).isReady)
    await lock(url)
    const broken: string[] = []
    const schedule = async (inMs: number) => {
      const scheduled_at = new Date(Date.now() + inMs).toISOString()
      const path = `/api/environments/${environmentId}/flags/scheduled/scheduled-changes`
      const { body, status } = await callApi(
        url,
        'POST',
        path,
        { scheduled_at, patch: { description: scheduled_at } },
        admin,
      )
      if (status !== 200) throw new Error(`scheduling returned ${status}: ${JSON.stringify(body)}`)
      return String(body.id)
    }
    const farAway = await schedule(HOUR_MS / 2)
    const due: string[] = []
    for (let step = 1; step <= steps; step += 1) {
      stepClock(server, clockFile, step % 2 === 1 ? HOUR_MS : -HOUR_MS)
      due.push(await schedule(DUE_IN_MS))
      await patchFlag(url, environmentId, 'step', { default_value: step })
      await eventually(async () => (await sdk.evaluate('step', 'anna')).value === step)
      const id = due.at(-1) ?? ''
      await eventually(async () => (await countExecutions(databaseUrl, id)) > 0, EXECUTED_WITHIN_MS).catch(
        () => {
          broken.push(`A scheduled change was not executed ${EXECUTED_WITHIN_MS} ms after it was due.`)
        },
      )
      const { status } = await callApi(url, 'GET', '/api/projects', undefined, admin)
      if (status !== 200) broken.push(`A request with a session returned ${status} after a step.`)
      broken.push(...(await findLockProblems(url)))
    }
    broken.push(...(await findRateProblems(server, clockFile, key)))
    for (const id of due) {
      const count = await countExecutions(databaseUrl, id)
      if (count > 1) broken.push(`A scheduled change was executed ${count} times.`)
    }
    if ((await countExecutions(databaseUrl, farAway)) > 0)
      broken.push('A scheduled change was executed half an hour early.')
    const { stale } = await sdk.observed()
    if (stale > 0) broken.push(`The SDK lost its stream ${stale} times.`)
    await server.stop()
    return {
      times: `${steps} steps`,
      seen: `${due.length} scheduled changes were executed once each, none early; the stream stayed open; the lock, the session and the rate limit stayed valid`,
      broken,
    }
  },
}

function stepClock(server: RunningServer, clockFile: string, shiftMs: number): void {
  writeFileSync(clockFile, String(shiftMs))
  server.kill('SIGUSR2')
}

const logIn = (url: string, email: string) =>
  callApi(url, 'POST', '/api/auth/login', { email, password: 'a wrong password' }, {})

const LOCKED = `locked-${ADMIN.email}`

async function lock(url: string): Promise<void> {
  await eventually(async () => (await logIn(url, LOCKED)).status === 429)
}

/** Checks that an account that is locked for a quarter of an hour stays locked, with the same response. */
async function findLockProblems(url: string): Promise<string[]> {
  const { body, status } = await logIn(url, LOCKED)
  const seconds = body.retry_after_seconds
  if (status !== 429) return [`A login to a locked account returned ${status} after a step.`]
  return seconds > 0 && seconds <= 15 * 60
    ? []
    : [`The response for a locked account has retry_after_seconds ${seconds}.`]
}

/**
 * Checks that a key that has used up its minute neither gets another by a step of the clock, nor is refused
 * for an hour.
 */
async function findRateProblems(server: RunningServer, clockFile: string, key: string): Promise<string[]> {
  const poll = () => callApi(server.url, 'GET', '/flags/snapshot', undefined, bearer(key))
  const refused = await eventually(async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, poll))
    return answers.find(({ status }) => status === 429)
  }, MINUTE_MS)
  const problems: string[] = []
  for (const shift of [0, HOUR_MS, -HOUR_MS]) {
    stepClock(server, clockFile, shift)
    const { body, status } = await poll()
    if (status !== 429) problems.push(`A request over the rate limit returned ${status} after a step.`)
    else if (body.retry_after_seconds > MINUTE_MS / 1_000)
      problems.push('A rate limit lasts longer than its minute.')
  }
  if (refused.status !== 429) problems.push('The rate limit was never reached.')
  return problems
}

/**
 * Counts the audit entries of a scheduled change's execution; each is stored with the change itself, in one
 * transaction.
 */
async function countExecutions(databaseUrl: string, id: string): Promise<number> {
  return withDatabase(databaseUrl, async (pool) => {
    const { rows } = await pool.query(
      `select count(*)::int as count from audit_log
       where metadata->>'origin' = 'schedule' and metadata->>'scheduled_change_id' = $1`,
      [id],
    )
    return rows[0].count
  })
}
