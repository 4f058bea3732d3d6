/** The timeout of everything that these tests wait for, also on a busy machine. */
export const PATIENCE_MS = 60_000

/** Resolves with the result of `work`; rejects with an error that names what did not happen in time. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come within ${ms / 1_000} s`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
