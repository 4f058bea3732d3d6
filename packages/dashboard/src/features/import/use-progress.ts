import { useRef, useState } from 'react'

/** The work that is done, from 0 to 1, and the name of what is under way. */
export interface Progress {
  /** 0 also where the end is not known. */
  readonly share: number
  readonly label: string
  /** True where it can be stopped without an effect. */
  readonly canCancel?: boolean
}

/** Runs one step at a time, and keeps its progress and its failure. */
export function useProgress() {
  const [progress, setProgress] = useState<Progress | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const controller = useRef<AbortController>(null)
  const run = async (label: string, work: (signal: AbortSignal) => Promise<void>) => {
    const started = new AbortController()
    controller.current = started
    const { signal } = started
    setFailure(null)
    setProgress({ share: 0, label })
    try {
      await work(signal)
    } catch (error) {
      if (!signal.aborted) setFailure(error)
    } finally {
      setProgress(null)
    }
  }
  const cancel = () => controller.current?.abort()
  return { progress, failure, run, cancel, setFailure, setProgress }
}
