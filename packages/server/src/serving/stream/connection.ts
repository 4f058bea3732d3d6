import type { Socket } from 'node:net'
import type { Actor } from '../../kernel/actor.ts'
import type { Bootstrap } from './bootstrap.ts'
import { type Audience, LAST_CHUNK } from './sse-frame.ts'
import type { Coding } from './stream-coding.ts'
import { peerOf } from './unanswered-peers.ts'

/**
 * The live bytes behind a bootstrap above which a reader is dropped and bootstraps again
 * (docs/reference/streaming.md).
 */
const LIVE_QUEUE_MAX_BYTES = 1024 * 1024
/** The size of the pieces that are written, so that a slow reader shows progress. */
const PIECE_BYTES = 64 * 1024
/** The keep-alive ticks of 15 s without a drained byte after which a reader is stuck: 30 s. */
const STUCK_TICKS = 2
/** The time that a reader has for the last bytes before it must reconnect. */
const END_MS = 5_000

interface QueuedPiece {
  readonly bytes: Buffer
  readonly isLive: boolean
}

/** A bootstrap that is being sent. */
interface QueuedBootstrap {
  readonly bootstrap: Bootstrap
  /** The number of pieces that were written. */
  sent: number
}

/**
 * One open stream. It owns the socket: the caller writes the head of the response, the connection everything
 * after it. Frames keep their order; those that the socket does not take at once wait in a queue.
 */
export class Connection {
  readonly actor: Actor
  readonly audience: Audience
  readonly coding: Coding
  /** The environments that this stream receives, with the revision that was sent. */
  readonly revisions = new Map<string, number>()
  /** The environment to which `?environment_id=` narrows a session's stream. */
  readonly narrowedTo: string | null
  #socket: Socket
  #queue: (QueuedPiece | QueuedBootstrap)[] = []
  #live_bytes = 0
  #drained_bytes = 0
  #stuck_ticks = 0
  #is_waiting = false

  constructor(options: {
    socket: Socket
    actor: Actor
    audience: Audience
    coding: Coding
    narrowedTo?: string | null
  }) {
    this.#socket = options.socket
    this.actor = options.actor
    this.audience = options.audience
    this.coding = options.coding
    this.narrowedTo = options.narrowedTo ?? null
  }

  get open(): boolean {
    return !this.#socket.destroyed && this.#socket.writable
  }

  /** Identifies the connection in the tables of the kernel; null for one without an address. */
  get peer(): string | null {
    return peerOf(this.#socket)
  }

  get remotePort(): number {
    return this.#socket.remotePort ?? 0
  }

  onClose(listener: () => void): void {
    this.#socket.once('close', listener)
  }

  /** Sends what does not count as live: a bootstrap, or bytes around it. */
  sendBootstrap(first: Bootstrap | Buffer): void {
    if (Buffer.isBuffer(first)) {
      this.#enqueue(first, false)
      return
    }
    this.#queue.push({ bootstrap: first, sent: 0 })
    this.#pump()
  }

  /** Sends a live frame, or drops the reader when too much is waiting. */
  send(bytes: Buffer): void {
    if (!this.open || bytes.length === 0) return
    if (this.#live_bytes > LIVE_QUEUE_MAX_BYTES) {
      this.cut()
      return
    }
    this.#enqueue(bytes, true)
  }

  /** Sends a keep-alive, and drops the reader when nothing has drained for 30 s. */
  keepAlive(bytes: Buffer): void {
    if (!this.open) return
    const drained = this.#socket.bytesWritten - this.#socket.writableLength
    const isStuck = this.#socket.writableLength > 0 && drained === this.#drained_bytes
    this.#drained_bytes = drained
    this.#stuck_ticks = isStuck ? this.#stuck_ticks + 1 : 0
    if (this.#stuck_ticks >= STUCK_TICKS) this.cut()
    else if (!isStuck) this.send(bytes)
  }

  /**
   * Ends the response for a reader that must reconnect: properly, unless pieces of a frame are still to be
   * sent. Those would be cut off, and a parser might accept them as a whole frame; a broken connection is
   * unambiguous.
   */
  end(): void {
    if (!this.open) return
    if (this.#queue.length > 0) {
      this.#socket.destroy()
      return
    }
    if (this.coding !== 'plain') this.#socket.write(LAST_CHUNK)
    this.#socket.destroySoon()
    setTimeout(() => this.#socket.destroy(), END_MS).unref()
  }

  /**
   * Resets the connection: the kernel would otherwise keep up to 4 MB for minutes for a reader that takes
   * nothing, or whose packets are lost.
   */
  cut(): void {
    this.#socket.resetAndDestroy()
  }

  /**
   * Writes small bytes directly to a socket that keeps up, and everything else in pieces as the socket takes
   * them.
   */
  #enqueue(bytes: Buffer, isLive: boolean): void {
    if (this.#queue.length === 0 && !this.#is_waiting && bytes.length <= PIECE_BYTES) {
      if (!this.#socket.write(bytes)) this.#waitForDrain()
      return
    }
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      this.#queue.push({ bytes: bytes.subarray(at, at + PIECE_BYTES), isLive })
    }
    if (isLive) this.#live_bytes += bytes.length
    this.#pump()
  }

  #pump(): void {
    while (!this.#is_waiting && this.#queue[0]) this.#writeFrom(this.#queue[0])
  }

  #writeFrom(first: QueuedPiece | QueuedBootstrap): void {
    if (!('bootstrap' in first)) {
      this.#queue.shift()
      if (first.isLive) this.#live_bytes -= first.bytes.length
      if (!this.#socket.write(first.bytes)) this.#waitForDrain()
      return
    }
    if (!first.bootstrap.isReady(first.sent)) {
      void this.#encode(first)
      return
    }
    const piece = first.bootstrap.piece(first.sent)
    if (!piece) this.#queue.shift()
    else {
      first.sent += 1
      if (!this.#socket.write(piece)) this.#waitForDrain()
    }
  }

  /** Encodes the next piece in a turn for it. */
  async #encode({ bootstrap, sent }: QueuedBootstrap): Promise<void> {
    this.#is_waiting = true
    const isEncoded = await bootstrap.prepare(sent).then(
      () => true,
      () => false,
    )
    this.#is_waiting = false
    if (!this.open) return
    // Without a whole bootstrap the reader has to connect again.
    if (isEncoded) this.#pump()
    else this.cut()
  }

  #waitForDrain(): void {
    this.#is_waiting = true
    this.#socket.once('drain', () => {
      this.#is_waiting = false
      this.#pump()
    })
  }
}
