import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { CLIENT_INGEST_BODY_MAX_BYTES, INGEST_BODY_MAX_BYTES } from '@burgee/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, unavailable } from '../kernel/refusal.ts'

const BYTES_PER_MIB = 1024 * 1024
/** Of all reports that are being received or worked on: bodies are held in memory until they are read. */
const HELD_MAX_BYTES = 256 * BYTES_PER_MIB
/** Shorter ones do not count, and so none of a client key: connections bound how many of them there are. */
const COUNTED_ABOVE_BYTES = CLIENT_INGEST_BODY_MAX_BYTES

/**
 * Bounds what reports take before they are parsed. What is sent with a client key may be shorter than what a server key sends, for anybody
 * who opens the page has the key. What the header says is judged before anything is read, what comes in chunks as it comes.
 */
export function limitReports(app: FastifyInstance): void {
  let held = 0

  function hold(bytes: number, reply: FastifyReply): void {
    if (bytes <= COUNTED_ABOVE_BYTES) return
    if (held + bytes > HELD_MAX_BYTES)
      throw unavailable('Too many large reports are being received. Send it again in a moment.')
    held += bytes
    reply.raw.once('close', () => {
      held -= bytes
    })
  }

  app.addHook('preParsing', async (request, reply, payload) => {
    if (request.routeOptions.config.endpoint?.ingest !== true) return payload
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if (length === undefined && encoding === undefined) return payload
    const max = maxBytesFor(request)
    if (Number(length) > max && max < INGEST_BODY_MAX_BYTES) throw tooLong(`has ${inMiB(Number(length))} MiB`)
    hold(Math.min(Number(length ?? max), max), reply)
    return length === undefined && max < INGEST_BODY_MAX_BYTES ? countBytes(payload, max) : payload
  })
}

function maxBytesFor({ checked }: FastifyRequest): number {
  const actor = checked?.actor
  const isClient = actor?.kind === 'sdk_key' && actor.key_kind === 'client'
  return isClient ? CLIENT_INGEST_BODY_MAX_BYTES : INGEST_BODY_MAX_BYTES
}

function countBytes(payload: Readable, max: number): Readable {
  let received = 0
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      if (received > max) done(tooLong('has more'))
      else done(null, chunk)
    },
  })
  payload.once('error', (error) => counter.destroy(error))
  return payload.pipe(counter)
}

const tooLong = (given: string) =>
  new Refusal(
    'too_large',
    `A report that is sent with a client key may have ${inMiB(CLIENT_INGEST_BODY_MAX_BYTES)} MiB, and this one ${given}. ` +
      `Send fewer items at once; with a server key ${inMiB(INGEST_BODY_MAX_BYTES)} MiB are accepted.`,
  )

const inMiB = (bytes: number): string => String(Math.ceil((10 * bytes) / BYTES_PER_MIB) / 10)
