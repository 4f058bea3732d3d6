import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { residentBytes } from '../harness/process-usage.mjs'
import { figure } from '../harness/result-table.mjs'
import { npmStartOnce } from '../harness/start-server.mjs'

const STARTS = 10
const QUICK_STARTS = 3
const REST_MS = 10_000
const EXTERNAL_GOAL = { atMost: 500 }
const NPM_START_GOAL = { atMost: 1_500 }
const MEMORY_GOAL = { atMost: 110 }
const BYTES_PER_MB = 1024 * 1024

const FIRST_RESPONSE = 'first 200 of `/health`, the least'

export const start = {
  title: 'Start: from the command to the first response, and what a server at rest needs',
  sections: () => [
    {
      columns: ['Start, ten times', FIRST_RESPONSE],
      compared: [FIRST_RESPONSE],
      ...{ rounds: STARTS, quickRounds: QUICK_STARTS, isLeast: true },
      open: openStarts,
    },
    {
      columns: ['At rest', 'resident memory'],
      compared: ['resident memory'],
      open: openRest,
    },
  ],
}

/** The first start of each migrates the database, and is not measured. */
async function openStarts({ postgres, root, startServer }) {
  const databaseUrl = await postgres.createDatabase()
  await (await startServer({ databaseUrl })).stop()
  const dataDir = await mkdtemp(join(tmpdir(), 'burgee-bench-'))
  await npmStartOnce(root, dataDir)
  return {
    rows: [
      {
        name: 'server on a migrated external database',
        async measure() {
          const server = await startServer({ databaseUrl })
          await server.stop()
          return [figure(server.startedInMs, 'ms', EXTERNAL_GOAL)]
        },
      },
      {
        name: '`npm start`, embedded database, not the first time',
        measure: async () => [figure(await npmStartOnce(root, dataDir), 'ms', NPM_START_GOAL)],
      },
    ],
    close: () => rm(dataDir, { recursive: true, force: true }),
  }
}

async function openRest({ postgres, startServer }) {
  const databaseUrl = await postgres.createDatabase()
  await (await startServer({ databaseUrl })).stop()
  const measure = async () => {
    const server = await startServer({ databaseUrl })
    await delay(REST_MS)
    const bytes = residentBytes(server.pid)
    await server.stop()
    return [figure(bytes / BYTES_PER_MB, 'MB', MEMORY_GOAL)]
  }
  return { rows: [{ name: 'server process, 10 s after its start', measure }], close: async () => {} }
}
