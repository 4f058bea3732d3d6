/** What the work gives, or, when it takes longer than `ms`, what `otherwise` gives or throws; the work goes on unheard. */
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
