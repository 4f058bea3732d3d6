import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../platform/clock.ts'
import type { Connection } from './connection.ts'
import { type Coding, encodeFrames } from './stream-coding.ts'

/** Announces changes to the event streams of OFREP, without their contents. */
export interface ChangeNotices {
  /** Adds an open connection, which knows of changes up to the revision. */
  add(environment_id: string, connection: Connection, revision: number): void
  /** Announces the revision soon, together with changes that follow at once. */
  changed(environment_id: string, revision: number): void
  /** Formats the notice of a revision. */
  frame(revision: number, coding: Coding): Buffer
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
}

export function createChangeNotices({ clock }: { readonly clock: Pick<Clock, 'now'> }): ChangeNotices {
  const audiences = new Map<string, Audience>()

  function frame(revision: number, coding: Coding): Buffer {
    const lastModified = Math.floor(clock.now().getTime() / MS_PER_SECOND)
    const data = JSON.stringify({ type: 'refetchEvaluation', etag: `"${revision}"`, lastModified })
    const bytes = Buffer.from(`id: ${revision}\nevent: message\ndata: ${data}\n\n`)
    return encodeFrames(coding, bytes)
  }

  async function announce(audience: Audience): Promise<void> {
    audience.timer = null
    const { revision } = audience
    const frames = new Map<Coding, Buffer>()
    let written = 0
    for (const [connection, known] of audience.known) {
      if (known === revision) continue
      audience.known.set(connection, revision)
      const { coding } = connection
      const bytes = frames.get(coding) ?? frame(revision, coding)
      frames.set(coding, bytes)
      connection.send(bytes)
      if (++written % WRITES_PER_TURN === 0) await nextTurn()
    }
  }

  return {
    frame,
    add(environment_id, connection, revision) {
      const audience = audiences.get(environment_id) ?? { known: new Map(), revision, timer: null }
      audiences.set(environment_id, audience)
      audience.known.set(connection, revision)
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
