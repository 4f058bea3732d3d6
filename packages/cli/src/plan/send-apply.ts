import { type ApplyInput, type ApplyResult, isObject } from '@burgee/contract'
import { ApiError } from '../api/api-error.ts'
import type { Api } from '../api/create-api.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import { type ApplyTarget, applyBody, placeOf } from './group-documents.ts'

/** The switches of `plan` and `apply`. */
export interface ApplySwitches {
  readonly prune?: boolean
  readonly takeOver?: boolean
  readonly comment?: string
}

/** A large apply takes longer than another call. */
const APPLY_TIMEOUT_MS = 300_000

/** Sends a target, as a plan or to apply it. Problems that the server names get their lines in the files. */
export async function sendApply(
  api: Api,
  target: ApplyTarget,
  switches: ApplySwitches,
  further: Pick<ApplyInput, 'dry_run' | 'if_revisions' | 'users'>,
): Promise<ApplyResult> {
  const body: ApplyInput = {
    ...applyBody(target),
    ...(switches.prune && { prune: true }),
    ...(switches.takeOver && { take_over: true }),
    ...(switches.comment !== undefined && { comment: switches.comment }),
    ...further,
  }
  const params = { env_id: target.environment.id }
  try {
    return await api.call('applyEnvironment', { params, body }, { timeoutMs: APPLY_TIMEOUT_MS })
  } catch (error) {
    if (error instanceof ApiError) throw placed(target, error)
    throw error
  }
}

function placed(target: ApplyTarget, error: ApiError): CommandError {
  const details = Array.isArray(error.body.details) ? error.body.details.filter(isObject) : []
  // A problem of the whole is the message itself.
  const placedDetails = details.filter(({ path }) => path !== '')
  const lines = placedDetails.map(({ path, message }) => {
    const place = placeOf(target, String(path))
    return `${place === null ? '' : `${place}: `}${String(path)}: ${String(message)}`
  })
  if (error.body.reason === 'managed_elsewhere')
    lines.push('--take-over manages it with the name of these files from now on.')
  const where = `${target.project.slug}/${target.environment.slug}`
  return new CommandError(`${where}: ${error.message}`, EXIT.failed, lines)
}
