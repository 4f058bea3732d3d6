/**
 * Work that runs once at a time. Requests during a run cause one more run after it, however many they were.
 */
export interface CoalescedRun {
  request(): void
  /** Resolves when the current run has ended. */
  idle(): Promise<void>
}

interface CoalescedWork {
  readonly run: () => Promise<void>
  readonly onError: (error: unknown) => void
  /**
   * Called after a run during which another one was requested: usually requests it again, unless all is
   * closed.
   */
  readonly onRequestedMeanwhile: () => void
}

/**
 * A boolean "is running" alone would drop the requests that come during a run, and with them what they were
 * for.
 */
export function createCoalescedRun({ onError, onRequestedMeanwhile, run }: CoalescedWork): CoalescedRun {
  let running: Promise<void> | null = null
  let isRequested = false
  return {
    request() {
      if (running !== null) {
        isRequested = true
        return
      }
      running = run()
        .catch(onError)
        .finally(() => {
          running = null
          if (!isRequested) return
          isRequested = false
          onRequestedMeanwhile()
        })
    },
    async idle() {
      await running
    },
  }
}
