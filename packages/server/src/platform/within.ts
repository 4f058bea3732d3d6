/**
 * Returns the result of the work, or, after `ms`, what `otherwise` returns or throws. The work continues, and
 * its result is ignored.
 */
export async function within<T>(ms: number, work: Promise<T>, otherwise: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<T>((resolve, reject) => {
    timer = setTimeout(() => {
      try {
        resolve(otherwise())
      } catch (error) {
        reject(error)
      }
    }, ms)
  })
  return Promise.race([work, patience]).finally(() => clearTimeout(timer))
}
