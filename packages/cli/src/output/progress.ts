import type { Io } from './output.ts'

/** The progress of something that takes long. */
export interface Progress {
  /** Shows how much is done. `total` null: an unknown amount. */
  update(done: number, total: number | null): void
  /** Removes the line. */
  end(): void
}

/** Nothing is shown before: most commands end sooner. */
const SHOWN_AFTER_MS = 1_000
const REDRAWN_AFTER_MS = 100
const WIDTH = 24
const SILENT: Progress = { update: () => undefined, end: () => undefined }

/** Starts a bar on the standard error, where that is a terminal. */
export function startProgress(io: Io, label: string, isQuiet: boolean): Progress {
  if (isQuiet || io.stderr.isTTY !== true) return SILENT
  const startedAt = performance.now()
  let drawnAt = startedAt + SHOWN_AFTER_MS - REDRAWN_AFTER_MS
  let isShown = false
  return {
    update: (done, total) => {
      if (performance.now() - drawnAt < REDRAWN_AFTER_MS) return
      drawnAt = performance.now()
      isShown = true
      io.stderr.write(
        `\r\u001b[K${label} ${total === null ? done : bar(done / Math.max(1, total), done, total)}`,
      )
    },
    end: () => {
      if (isShown) io.stderr.write('\r\u001b[K')
    },
  }
}

function bar(share: number, done: number, total: number): string {
  const filled = Math.round(Math.min(1, share) * WIDTH)
  return `${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)} ${done}/${total}`
}
