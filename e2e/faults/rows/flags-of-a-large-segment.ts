import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import { bearer, callApi, environmentOf } from '../../harness/call-api.ts'
import { SDK_KEY, startServer } from '../../harness/start-server.ts'
import { startStreamCrowd } from '../../harness/start-stream-crowd.ts'
import { watchServer } from '../../harness/watch-server.ts'
import type { Fault } from '../fault.ts'
import { createSharedDatabase } from '../shared-postgres.ts'

const SCALES = {
  short: { flags: 5, wireMb: 6, readers: 2, rounds: 1 },
  full: { flags: 1_000, wireMb: 64, readers: 20, rounds: 20 },
}
const HEAP_MB = 512
const PEAK_MAX_MIB = 1_500
const SEGMENT_CHARACTERS = 900_000
const TWICE = [{ segment_key: 'crowd' }, { segment_key: 'crowd' }]

export const fault: Fault = {
  group: 'reads',
  title:
    'Flags of 300 bytes that each refer to a segment of 900 KB twice, and SDKs that connect, with a heap of 512 MB',
  promise:
    'Flags above ENVIRONMENT_WIRE_MB are refused with the figures. SDKs receive the others, and a flag can be turned off as before.',
  async run(stage, scale) {
    const { flags, readers, rounds, wireMb } = SCALES[scale]
    const env = {
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
      ENVIRONMENT_WIRE_MB: String(wireMb),
    }
    const server = await startServer(stage, { databaseUrl: await createSharedDatabase(), env })
    const environment = `/api/environments/${await environmentOf(server.url)}`
    const values = ['x'.repeat(SEGMENT_CHARACTERS)]
    const rules = [{ attribute: 'id', operator: 'equals', values }]
    await callApi(server.url, 'POST', `${environment}/segments`, { key: 'crowd', name: 'Crowd', rules })
    const broken: string[] = []
    const answers = { stored: 0, refused: 0 }
    let received = 0
    const readSnapshot = async () => {
      const answer = await fetch(`${server.url}/flags/snapshot`, { headers: bearer(SDK_KEY) })
      received = (await answer.arrayBuffer()).byteLength
      if (answer.status !== 200) broken.push(`a snapshot returned ${answer.status}`)
    }
    const watched = await watchServer(server, async () => {
      for (let nth = 0; nth < flags; nth += 1) {
        const flag = { key: `small-${nth}`, is_enabled: true, rules: TWICE }
        const { body, status } = await callApi(server.url, 'POST', `${environment}/flags`, flag)
        if (status === 200) answers.stored += 1
        else if (status === 422 && /ENVIRONMENT_WIRE_MB/.test(body.error)) answers.refused += 1
        else broken.push(`a write of a flag returned ${status}`)
      }
      const crowd = startStreamCrowd(stage, { url: server.url, count: readers, reconnect: false })
      await eventually(async () => (await crowd.status()).ready === readers)
      for (let round = 0; round < rounds; round += 1) await readSnapshot()
      const off = await callApi(server.url, 'PATCH', `${environment}/flags/small-0`, { is_enabled: false })
      if (off.status !== 200) broken.push(`turning a flag off returned ${off.status}`)
    })
    if (answers.refused === 0) broken.push('no flag was refused')
    if (watched.healthFailures > 0) broken.push(`/health failed ${watched.healthFailures} times`)
    if (watched.peakMib > PEAK_MAX_MIB) broken.push(`the process used ${watched.peakMib} MiB`)
    await server.stop()
    return {
      times: `${flags} flags, ${readers} streams`,
      seen: `${answers.stored} stored, ${answers.refused} refused; ${(received / 1e6).toFixed(0)} MB a snapshot, ${watched.peakMib} MiB of memory, /health within ${watched.slowestHealthMs} ms`,
      broken,
    }
  },
}
