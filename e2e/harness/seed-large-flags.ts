import { randomBytes } from 'node:crypto'
import { patchFlag, putFlag } from './call-api.ts'

/** The characters of a value: nearly the size of a body, and not compressible. */
const VALUE_CHARACTERS = 1_000_000

/** Creates flags of 1 MB in an environment, each changed some times. */
export async function seedLargeFlags(
  url: string,
  environmentId: string,
  { count, changes }: { readonly count: number; readonly changes: number },
  headers?: Readonly<Record<string, string>>,
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const key = `large-${index}`
    const defaultValue = randomBytes(VALUE_CHARACTERS / 2).toString('hex')
    await putFlag(url, environmentId, { key, flag_type: 'string', default_value: defaultValue }, headers)
    for (let change = 0; change < changes; change += 1)
      await patchFlag(url, environmentId, key, { is_enabled: change % 2 === 0 }, headers)
  }
}
