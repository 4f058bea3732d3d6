import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../platform/clock.ts'
import type { Connection } from './connection.ts'
import { type Coding, encodeFrames } from './stream-coding.ts'

/** Announces changes to the event streams of OFREP, without their contents. */
export interface ChangeNotices {
  /** Adds an open connection, and sends it the notice of the revision when it is behind that. */
  add(
    environment_id: string,
    connection: Connection,
    at: { readonly revision: number; readonly isBehind: boolean },
  ): void
  /** Announces the revision soon, together with changes that follow at once. */
  changed(environment_id: string, revision: number): void
  close(): void
}

/** Changes within this time are one notice. */
const GATHER_MS = 50
const WRITES_PER_TURN = 500
const MS_PER_SECOND = 1000

interface Audience {
  /** The open streams, with the revision that each knows. */
  readonly known: Map<Connection, number>
  revision: number
  timer: NodeJS.Timeout | null
  /** The last notice that was sent. */
  notice: Notice | null
}

interface Notice {
  readonly revision: number
  readonly frame: Buffer
  readonly encoded: Map<Coding, Buffer>
}

/** Formats the notice of a revision. */
export function formatNotice(revision: number, now: Date): Buffer {
  const lastModified = Math.floor(now.getTime() / MS_PER_SECOND)
  const data = JSON.stringify({ type: 'refetchEvaluation', etag: `"${revision}"`, lastModified })
  return Buffer.from(`id: ${revision}\nevent: message\ndata: ${data}\n\n`)
}

export function createChangeNotices({ clock }: { readonly clock: Pick<Clock, 'now'> }): ChangeNotices {
  const audiences = new Map<string, Audience>()

  /** Returns the notice of a revision, encoded once for all streams of the environment. */
  function encodeNotice(audience: Audience, revision: number, coding: Coding): Buffer {
    const known = audience.notice?.revision === revision ? audience.notice : null
    const notice = known ?? { revision, frame: formatNotice(revision, clock.now()), encoded: new Map() }
    audience.notice = notice
    const bytes = notice.encoded.get(coding) ?? encodeFrames(coding, notice.frame)
    notice.encoded.set(coding, bytes)
    return bytes
  }

  async function announce(audience: Audience): Promise<void> {
    audience.timer = null
    const { revision } = audience
    let written = 0
    for (const [connection, known] of audience.known) {
      if (known === revision) continue
      audience.known.set(connection, revision)
      connection.send(encodeNotice(audience, revision, connection.coding))
      if (++written % WRITES_PER_TURN === 0) await nextTurn()
    }
  }

  return {
    add(environment_id, connection, { isBehind, revision }) {
      const added: Audience = { known: new Map(), revision, timer: null, notice: null }
      const audience = audiences.get(environment_id) ?? added
      audiences.set(environment_id, audience)
      audience.known.set(connection, revision)
      if (isBehind) connection.sendBootstrap(encodeNotice(audience, revision, connection.coding))
      connection.onClose(() => {
        audience.known.delete(connection)
        if (audience.known.size > 0 || audiences.get(environment_id) !== audience) return
        if (audience.timer) clearTimeout(audience.timer)
        audiences.delete(environment_id)
      })
    },
    changed(environment_id, revision) {
      const audience = audiences.get(environment_id)
      if (!audience) return
      audience.revision = revision
      audience.timer ??= setTimeout(() => void announce(audience), GATHER_MS)
    },
    close() {
      for (const { timer } of audiences.values()) if (timer) clearTimeout(timer)
      audiences.clear()
    },
  }
}
