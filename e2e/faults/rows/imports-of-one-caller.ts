import { within } from '../../harness/within.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { openPlace } from '../shared-server.ts'

/** The imports of one caller at the same time. */
const IMPORTS = { short: 40, full: 40 }
/** The flags of a file: the largest takes seconds to translate. */
const FLAGS = { short: 2_000, full: 30_000 }
const PATIENCE_MS = 110_000
/** The longest import that runs, and the one of the other caller. */
const OTHER_MAX_MS = 20_000

const FLAG = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' }

const bodyOf = (flags: number) => {
  const all = Object.fromEntries(Array.from({ length: flags }, (_, at) => [`flag-${at}`, FLAG]))
  const content = JSON.stringify({ flags: all })
  return JSON.stringify({ system: 'flagd', files: [{ name: 'flags.json', content }] })
}

export const fault: Fault = {
  group: 'bodies',
  title: 'One user sends 40 imports of large files at the same time, and a key of another project one',
  promise:
    'The import of the other caller has its turn after the one that runs, within 20 s. Of the user, 4 wait; the others are refused with 503 and `Retry-After`.',
  async run(_stage, scale) {
    const [place, other] = [await openPlace(), await openPlace()]
    const broken: string[] = []
    const send = async (projectId: string, headers: Readonly<Record<string, string>>, body: string) => {
      const response = await fetch(`${place.url}/api/projects/${projectId}/import`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      })
      await response.arrayBuffer()
      return { status: response.status, retryAfter: response.headers.get('retry-after') }
    }
    const large = bodyOf(FLAGS[scale])
    const flood = Array.from({ length: countOf(scale, IMPORTS) }, () =>
      send(place.projectId, place.admin, large),
    )
    // Behind all of them.
    await Promise.race(flood)
    const started = performance.now()
    const honest = await within(
      PATIENCE_MS,
      'the import of the other caller',
      send(other.projectId, other.headers, bodyOf(1)),
    )
    const tookMs = Math.round(performance.now() - started)
    const sent = await within(PATIENCE_MS, 'the imports of the user', Promise.all(flood))
    const refused = sent.filter(({ status }) => status === 503)
    if (honest.status !== 200) broken.push(`the import of the other caller returned ${honest.status}`)
    if (scale === 'full' && tookMs > OTHER_MAX_MS) broken.push(`the other import took ${tookMs} ms`)
    if (refused.length === 0) broken.push('no import of the user was refused')
    if (refused.some(({ retryAfter }) => retryAfter === null))
      broken.push('a refusal did not say when to retry')
    const wrong = sent.filter(({ status }) => ![200, 422, 503].includes(status))
    if (wrong.length > 0) broken.push(`${wrong.length} imports returned ${wrong[0]?.status}`)
    return {
      times: `${sent.length} imports at the same time`,
      seen: `${refused.length} with 503; the import of the other caller within ${tookMs} ms`,
      broken,
    }
  },
}
