import { setMaxListeners } from 'node:events'
import type { ProxySettings } from '@burgee/egress'
import { classifyAddress } from './classify-address.ts'
import { createTargetConnector } from './connect-to-target.ts'
import { describeFailure } from './describe-failure.ts'
import { startExchange } from './exchange.ts'
import { findTargetProblem } from './find-target-problem.ts'
import type { Outbound, OutboundRequest, OutboundResult } from './outbound.ts'
import type { PrivateTargets } from './private-targets.ts'
import { createNameResolver, type ResolveName } from './resolve-name.ts'
import { CHARACTER_MAX_BYTES, RESPONSE_MAX_CHARACTERS, toStoredText } from './to-stored-text.ts'

interface OutboundSettings {
  readonly privateTargets: PrivateTargets
  /** The proxy for https receivers; none unless given. */
  readonly proxy?: ProxySettings
  /** Resolves names to addresses; by default with the system. */
  readonly resolve?: ResolveName
  /** Returns whether the response of an IP address may be kept; by default only of public ones. */
  readonly keepResponseOf?: (address: string) => boolean
}

const isPublic = (address: string): boolean => classifyAddress(address) === 'public'

/**
 * Posts with a separate connection for each request: receivers share nothing, and no more of a response is
 * read than is kept. Redirects are not followed (docs/reference/events.md).
 */
export function createOutbound(settings: OutboundSettings): Outbound {
  const { keepResponseOf = isPublic, proxy = {}, resolve = createNameResolver() } = settings
  const closing = new AbortController()
  // Each post listens to it, and hundreds may be running.
  setMaxListeners(0, closing.signal)
  const running = new Set<Promise<OutboundResult>>()
  return {
    async post(url, request) {
      const attempt = attemptPost(
        { ...settings, proxy, resolve, keepResponseOf },
        url,
        request,
        closing.signal,
      )
      running.add(attempt)
      return attempt.finally(() => running.delete(attempt))
    },
    async close() {
      closing.abort()
      await Promise.all(running)
    },
  }
}

interface Reply {
  status_code: number | null
  /** False when only the status may be kept. */
  isKept: boolean
  chunks: Buffer[]
}

async function attemptPost(
  deps: Required<OutboundSettings>,
  url: string,
  request: OutboundRequest,
  closing: AbortSignal,
): Promise<OutboundResult> {
  const problem = findTargetProblem(url, { kind: 'webhook', privateTargets: deps.privateTargets })
  if (problem !== null) return { status_code: null, response_body: null, error: `the address ${problem}` }
  const timeLimit = limitTime(request, closing)
  const reply: Reply = { status_code: null, isKept: false, chunks: [] }
  let error: string | null = null
  try {
    await exchange(deps, new URL(url), request, { reply, signal: timeLimit.signal })
  } catch (failure) {
    error = timeLimit.reason() ?? describeFailure(failure)
  } finally {
    timeLimit.end()
  }
  return { status_code: reply.status_code, response_body: keptText(reply, request, error !== null), error }
}

function keptText({ chunks, isKept }: Reply, request: OutboundRequest, brokeOff: boolean): string | null {
  if (!isKept) return null
  const bytes = Buffer.concat(chunks)
  const maxBytes = keptBytes(request)
  const isCut = brokeOff || bytes.length > maxBytes
  return toStoredText(bytes.subarray(0, maxBytes), { isCut, maxCharacters: keptCharacters(request) })
}

/**
 * Sends the request and reads what arrives into `reply`, up to what is kept. Leaves no socket behind.
 */
async function exchange(
  deps: Required<OutboundSettings>,
  url: URL,
  request: OutboundRequest,
  { reply, signal }: { reply: Reply; signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted()
  const started = startExchange(url, request, (onSocket) => createTargetConnector({ ...deps, onSocket }))
  const onAbort = (): void => started.end()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const response = await started.response
    reply.status_code = response.statusCode ?? null
    reply.isKept = deps.keepResponseOf(started.remoteAddress())
    // Read in any case: a receiver that is cut off in its response would count that as a failure.
    await readBeginning(response, reply, keptBytes(request))
  } finally {
    signal.removeEventListener('abort', onAbort)
    started.end()
  }
}

const keptCharacters = ({ responseMaxCharacters = RESPONSE_MAX_CHARACTERS }: OutboundRequest): number =>
  responseMaxCharacters

const keptBytes = (request: OutboundRequest): number => keptCharacters(request) * CHARACTER_MAX_BYTES

async function readBeginning(body: AsyncIterable<Buffer>, reply: Reply, maxBytes: number): Promise<void> {
  let length = 0
  for await (const chunk of body) {
    reply.chunks.push(chunk)
    length += chunk.length
    if (length > maxBytes) return
  }
}

interface TimeLimit {
  readonly signal: AbortSignal
  /** Returns why the signal fired; null when it did not. */
  reason(): string | null
  end(): void
}

/**
 * Combines everything that may end an attempt from this side into one signal, with the message for its cause.
 */
function limitTime({ signal, timeoutMs }: OutboundRequest, closing: AbortSignal): TimeLimit {
  const controller = new AbortController()
  let reason: string | null = null
  const stop = (why: string) => (): void => {
    reason ??= why
    controller.abort()
  }
  const onAbort = stop('the attempt was aborted')
  const timer = setTimeout(stop(`no complete response within ${timeoutMs / 1000} s`), timeoutMs)
  for (const source of [signal, closing]) {
    if (source.aborted) onAbort()
    source.addEventListener('abort', onAbort, { once: true })
  }
  return {
    signal: controller.signal,
    reason: () => reason,
    end() {
      clearTimeout(timer)
      for (const source of [signal, closing]) source.removeEventListener('abort', onAbort)
    },
  }
}
