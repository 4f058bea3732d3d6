import { expect, test } from 'vitest'
import { METRICS_TOKEN } from './harness/loop-delay.ts'
import { openStage } from './harness/open-stage.ts'
import { startServer } from './harness/start-server.ts'
import { HOSTILE_INPUTS } from './hostile/list-inputs.ts'
import { type HostileGap, measureInputs } from './hostile/measure-inputs.ts'
import { openHostilePlace } from './hostile/place.ts'

const IS_FULL = process.env.BURGEE_FULL === '1'
const SEED = Number(process.env.BURGEE_FUZZ_SEED ?? (IS_FULL ? Date.now() % 1_000_000 : 1))
/** The number of sequences of requests of each input. */
const COUNT = IS_FULL ? 300 : 6
/** The longest gap, with tolerance for a busy machine; docs/performance.md has the figures of an idle one. */
const GAP_MAX_MS = IS_FULL ? 50 : 500
const GAP_TOLERATED_MS = 500
const SHOWN = IS_FULL ? 30 : 10

test('no generated input blocks the event loop for long', { timeout: 3_600_000 }, async () => {
  const stage = openStage()
  const { stop, url } = await startServer(stage, { dataDir: stage.folder('data'), env: { METRICS_TOKEN } })
  const place = await openHostilePlace(url)
  const plan = { inputs: HOSTILE_INPUTS, count: COUNT, seed: SEED, gapMaxMs: GAP_MAX_MS }
  const gaps = await measureInputs({ url, place }, plan)
  await stop()
  gaps.sort((a, b) => b.gapMs - a.gapMs)
  process.stdout.write(tableOf(gaps))
  expect(gaps.filter(({ gapMs }) => gapMs > GAP_TOLERATED_MS)).toEqual([])
  expect(gaps.filter(({ status }) => status === 0 || (status >= 500 && status !== 503))).toEqual([])
})

function tableOf(gaps: readonly HostileGap[]): string {
  const rows = gaps
    .slice(0, SHOWN)
    .map(
      ({ gapMs, input, nth, request, status }) =>
        `| ${input} | ${nth} | ${request} | ${status} | ${gapMs.toFixed(0)} ms |`,
    )
  const head = '| Input | Sequence | Request | Status | Longest gap |\n| --- | ---: | --- | ---: | ---: |'
  return `\nseed ${SEED}, ${gaps.length} requests\n\n${head}\n${rows.join('\n')}\n`
}
