import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { CLIENT_INGEST_BODY_MAX_BYTES, INGEST_BODY_MAX_BYTES } from '@burgee/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, unavailable } from '../../kernel/refusal.ts'
import { createBodyBudget, type HeldBody } from './body-budget.ts'
import { formatSize } from './body-too-large.ts'

const BYTES_PER_MIB = 1024 * 1024
/** The bytes of all bodies that are being received or processed. */
const HELD_MAX_BYTES = 256 * BYTES_PER_MIB
/**
 * The size above which bodies are counted, and parsed and validated in turns with other work. The connection
 * of a shorter one takes about as much memory.
 */
export const LARGE_BODY_BYTES = 16 * 1024

/**
 * Bounds the memory of request bodies before they are parsed. The limit with a client key is lower than with
 * a server key, because every visitor of a page has the client key.
 */
export function limitBodies(app: FastifyInstance): void {
  const budget = createBodyBudget(HELD_MAX_BYTES)
  app.decorateRequest('responded', undefined)

  app.addHook('preParsing', (request, reply, payload, done) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if (length === undefined && encoding === undefined) return done(null, payload)
    const bytes = Number(length)
    if (bytes <= LARGE_BODY_BYTES) return done(null, payload)
    const clientMax = isClientReport(request) ? CLIENT_INGEST_BODY_MAX_BYTES : Number.POSITIVE_INFINITY
    if (bytes > clientMax) return done(tooLong(`has ${formatSize(bytes)}`))
    request.responded = new Promise((resolve) => whenClosed(reply, resolve))
    done(null, countBytes(payload, reply, { budget, max: clientMax }))
  })
}

function isClientReport({ checked, routeOptions }: FastifyRequest): boolean {
  const actor = checked?.actor
  const isClient = actor?.kind === 'sdk_key' && actor.key_kind === 'client'
  return isClient && routeOptions.config.endpoint?.ingest === true
}

interface Limits {
  readonly budget: { hold(refuse: () => void): HeldBody }
  readonly max: number
}

/** Counts the bytes of a body in the budget until the response was sent. */
function countBytes(payload: Readable, reply: FastifyReply, { budget, max }: Limits): Readable {
  let received = 0
  const body = budget.hold(() => counter.destroy(tooBusy()))
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      body.add(chunk.length)
      if (received > max) done(tooLong('has more'))
      else done(null, chunk)
    },
    flush(done) {
      body.complete()
      done()
    },
  })
  whenClosed(reply, () => {
    body.release()
    // The rest of a refused body must be read, or the connection's next request never is.
    payload.unpipe(counter)
    payload.resume()
  })
  // No parser reads the body of a GET, and an error without a listener would end the process.
  counter.on('error', () => undefined)
  payload.on('error', (error) => counter.destroy(error))
  return payload.pipe(counter)
}

/** Calls back once the response was sent or its connection has ended, which may already be so. */
function whenClosed({ raw }: FastifyReply, callBack: () => void): void {
  if (raw.destroyed) callBack()
  else raw.once('close', callBack)
}

const tooBusy = () =>
  unavailable(
    'Too many large bodies are being received, and this one took the longest. Send it again in a moment.',
  )

const tooLong = (given: string) =>
  new Refusal(
    'too_large',
    `A report that is sent with a client key may have ${formatSize(CLIENT_INGEST_BODY_MAX_BYTES)}, and this one ${given}. ` +
      `Send fewer items at once; with a server key ${formatSize(INGEST_BODY_MAX_BYTES)} are accepted.`,
  )

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Resolves when the response was sent or its connection has ended; undefined when the body is known to be
     * short.
     */
    responded: Promise<void> | undefined
  }
}
