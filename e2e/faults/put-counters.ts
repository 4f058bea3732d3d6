import { environmentOf, putFlag } from '../harness/call-api.ts'
import { COUNTERS } from '../harness/crash-repeatedly.ts'

/**
 * Creates the flags that a writer increments, in the environment of the set-up's SDK key. Returns the
 * environment's id.
 */
export async function putCounters(url: string): Promise<string> {
  const environmentId = await environmentOf(url)
  const flag = { flag_type: 'integer', default_value: 0, disabled_value: -2 }
  await Promise.all(COUNTERS.map((key) => putFlag(url, environmentId, { key, ...flag })))
  return environmentId
}
