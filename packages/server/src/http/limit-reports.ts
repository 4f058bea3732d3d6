import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { CLIENT_INGEST_BODY_MAX_BYTES, INGEST_BODY_MAX_BYTES } from '@burgee/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../kernel/refusal.ts'

const BYTES_PER_MIB = 1024 * 1024

/**
 * A report that is sent with a client key may be shorter than one of a server key: anybody who opens the page has the key. What the
 * header says is judged before anything is read, what comes in chunks as it comes.
 */
export function limitReports(app: FastifyInstance): void {
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (!isLimited(request)) return payload
    const length = request.headers['content-length']
    if (length === undefined) return countBytes(payload)
    if (Number(length) > CLIENT_INGEST_BODY_MAX_BYTES) throw tooLong(`has ${inMiB(Number(length))} MiB`)
    return payload
  })
}

function isLimited({ checked, routeOptions }: FastifyRequest): boolean {
  const actor = checked?.actor
  return (
    routeOptions.config.endpoint?.ingest === true && actor?.kind === 'sdk_key' && actor.key_kind === 'client'
  )
}

function countBytes(payload: Readable): Readable {
  let received = 0
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      if (received > CLIENT_INGEST_BODY_MAX_BYTES) done(tooLong('has more'))
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
