/**
 * Waits for `work`, but no longer than `ms`: then it gives what `onTimeout` returns, or throws what that
 * throws. The promise keeps running; its result is ignored.
 */
export function withTimeout<T>(work: Promise<T>, ms: number): Promise<T | undefined>
export function withTimeout<T>(work: Promise<T>, ms: number, onTimeout: () => T): Promise<T>
export function withTimeout<T>(
  work: Promise<T>,
  ms: number,
  onTimeout: () => T | undefined = () => undefined,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<T | undefined>((resolve, reject) => {
    timer = setTimeout(() => {
      try {
        resolve(onTimeout())
      } catch (error) {
        reject(error)
      }
    }, ms)
  })
  return Promise.race([work, timedOut]).finally(() => clearTimeout(timer))
}
