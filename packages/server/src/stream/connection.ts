import type { Socket } from 'node:net'
import type { Actor } from '../kernel/actor.ts'
import { type Audience, LAST_CHUNK } from './sse-frame.ts'

/** A reader with more live bytes than this behind its bootstrap is dropped: it bootstraps again (contract, section 7). */
const LIVE_QUEUE_MAX_BYTES = 1024 * 1024
/** A bootstrap is handed over in pieces of this size, so that a slow reader shows progress. */
const PIECE_BYTES = 64 * 1024
/** Keep-alive ticks of 15 s without a drained byte until a reader counts as stuck: 30 s. */
const STUCK_TICKS = 2

/**
 * One open stream. It owns the socket: the answer's head is written by the caller, everything after it by the
 * connection. Frames keep their order; what the socket does not take at once waits in a queue.
 */
export class Connection {
  readonly actor: Actor
  readonly audience: Audience
  /** HTTP/1.1 readers get chunked transfer coding, HTTP/1.0 readers the bare bytes. */
  readonly chunked: boolean
  /** The environments that this stream receives, and the revision up to which it has them. */
  readonly revisions = new Map<string, number>()
  /** Where `?environment_id=` narrows a session's stream. */
  readonly narrowed_to: string | null
  #socket: Socket
  #queue: Buffer[] = []
  #live_bytes = 0
  #drained_bytes = 0
  #stuck_ticks = 0
  #pumping = false

  constructor(options: {
    socket: Socket
    actor: Actor
    audience: Audience
    chunked: boolean
    narrowed_to?: string | null
  }) {
    this.#socket = options.socket
    this.actor = options.actor
    this.audience = options.audience
    this.chunked = options.chunked
    this.narrowed_to = options.narrowed_to ?? null
  }

  get open(): boolean {
    return !this.#socket.destroyed && this.#socket.writable
  }

  /** Bytes that the reader has not taken yet. */
  get pending_bytes(): number {
    return this.#socket.writableLength + this.#queue.reduce((sum, piece) => sum + piece.length, 0)
  }

  onClose(listener: () => void): void {
    this.#socket.once('close', listener)
  }

  /** Sends bytes that do not count as live: a bootstrap. */
  sendBootstrap(bytes: Buffer): void {
    if (bytes.length <= PIECE_BYTES && this.#queue.length === 0) {
      this.#socket.write(bytes)
      return
    }
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      this.#queue.push(bytes.subarray(at, at + PIECE_BYTES))
    }
    this.#pump()
  }

  /** Sends a live frame, or drops the reader when too much waits already. */
  send(bytes: Buffer): void {
    if (!this.open || bytes.length === 0) return
    if (this.#queue.length === 0 && !this.#socket.writableNeedDrain) {
      this.#socket.write(bytes)
      return
    }
    if (this.#live_bytes > LIVE_QUEUE_MAX_BYTES) {
      this.#socket.destroy()
      return
    }
    this.#live_bytes += bytes.length
    this.#queue.push(bytes)
    this.#pump()
  }

  /** Sends a keep-alive, and drops the reader when nothing has drained for 30 s. */
  keepAlive(bytes: Buffer): void {
    if (!this.open) return
    const drained = this.#socket.bytesWritten - this.#socket.writableLength
    const stuck = this.#socket.writableLength > 0 && drained === this.#drained_bytes
    this.#drained_bytes = drained
    this.#stuck_ticks = stuck ? this.#stuck_ticks + 1 : 0
    if (this.#stuck_ticks >= STUCK_TICKS) this.#socket.destroy()
    else if (!stuck) this.send(bytes)
  }

  /** Ends the answer properly, for a reader that shall come again. */
  end(): void {
    if (!this.open) return
    this.#queue = []
    if (this.chunked) this.#socket.write(LAST_CHUNK)
    this.#socket.destroySoon()
  }

  #pump(): void {
    if (this.#pumping) return
    for (let piece = this.#queue.shift(); piece; piece = this.#queue.shift()) {
      if (this.#queue.length === 0) this.#live_bytes = 0
      if (this.#socket.write(piece)) continue
      this.#pumping = true
      this.#socket.once('drain', () => {
        this.#pumping = false
        this.#pump()
      })
      return
    }
  }
}
