import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../kernel/refusal.ts'

const BYTES_PER_KIB = 1024
const BYTES_PER_MIB = 1024 * 1024

/**
 * Builds the refusal of a body above the limit of its endpoint. It names both sizes when the request has a
 * Content-Length.
 */
export function bodyTooLarge({ headers, routeOptions }: FastifyRequest): Refusal {
  const limit = routeOptions.bodyLimit
  const length = Number(headers['content-length'] ?? Number.NaN)
  const given = length > limit ? `has ${formatSize(length)}` : `has more than ${formatSize(limit)}`
  return new Refusal('too_large', `The body ${given}; at most ${formatSize(limit)} are accepted.`)
}

/** Formats a size, rounded up, so that a size above a limit is also shown above it. */
export function formatSize(bytes: number): string {
  if (bytes < BYTES_PER_MIB) return `${Math.ceil(bytes / BYTES_PER_KIB)} KiB`
  return `${Math.ceil((10 * bytes) / BYTES_PER_MIB) / 10} MiB`
}
