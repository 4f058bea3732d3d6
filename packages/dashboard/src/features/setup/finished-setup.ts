import { call } from '../../shared/api/call.ts'
import type { EndpointBody } from '../../shared/api/types.ts'

/** What set-up has created. The keys are known here and nowhere else: they are never shown again. */
export interface FinishedSetup extends EndpointBody<'completeSetup'> {
  /** The key for the first program; null where it could not be created. */
  readonly reader_key: string | null
}

/** Set-up comes with a server key, which may do everything: a program that reads flags gets one that may not. */
export async function withReaderKey(set_up: EndpointBody<'completeSetup'>): Promise<FinishedSetup> {
  const { environment_id } = set_up.sdk_key
  try {
    const body = { name: 'Back end', environment_id, kind: 'reader' } as const
    const { key } = await call('createSdkKey', { params: { project_id: set_up.project.id }, body })
    return { ...set_up, reader_key: key }
  } catch {
    return { ...set_up, reader_key: null }
  }
}
