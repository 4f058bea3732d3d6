import type { CreatedSdkKey } from '@burgee/contract'
import { send } from '../../shared/api/call.ts'

/**
 * Creates a key for a program that reads flags, since the server key that a project comes with may do
 * everything. Null where it could not be created: the server key is shown this once and must not be lost
 * over it.
 */
export async function createReaderKey(
  project_id: string,
  { environment_id }: Pick<CreatedSdkKey, 'environment_id'>,
): Promise<string | null> {
  try {
    const body = { name: 'Back end', environment_id, kind: 'reader' } as const
    return (await send('createSdkKey', { params: { project_id }, body })).body.key
  } catch {
    return null
  }
}
