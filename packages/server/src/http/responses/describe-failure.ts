import type { Refusal } from '../../kernel/refusal.ts'
import type { Log } from '../../platform/log/log.ts'
import { failureStatus, flagKeyIn, toFailure } from '../../serving/ofrep/index.ts'
import { isManifestUrl, toManifestFailure } from '../../targeting/manifest/index.ts'
import { errorReply } from './error-reply.ts'

interface FailureReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

interface FailedRequest {
  readonly url: string
  readonly id: string
}

/** Describes the response to a failed request. An error without a refusal is logged, and not shown. */
export function describeFailure(
  log: Pick<Log, 'error'>,
  { error, refusal }: { readonly error: unknown; readonly refusal: Refusal | null },
  request: FailedRequest,
): FailureReply {
  const reply = refusal ? errorReply(refusal) : internalError(log, error, request)
  return inProtocol(request.url, reply, refusal)
}

function internalError(log: Pick<Log, 'error'>, err: unknown, { id }: FailedRequest) {
  log.error({ err, request_id: id }, 'a request failed')
  return { status: 500, headers: {}, body: { error: `Something went wrong on the server (request ${id}).` } }
}

/** Gives an error of OFREP and of the manifest of OpenFeature the form of its protocol. */
export function inProtocol(
  url: string,
  { body, headers, status }: FailureReply & { readonly body: { readonly error: string } },
  refusal: Refusal | null,
): FailureReply {
  if (isManifestUrl(url)) {
    const known = failureStatus(status)
    return { status: known, headers, body: toManifestFailure(refusal, body.error, known) }
  }
  const key = flagKeyIn(url)
  if (key === undefined) return { status, headers, body }
  return {
    status: failureStatus(status),
    headers,
    body: toFailure(refusal, body.error, key),
  }
}
