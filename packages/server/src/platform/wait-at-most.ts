/** Waits for the work, but no longer than `ms`: for shutting down, where something that hangs must not hold up the rest. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, patience]).finally(() => clearTimeout(timer))
}
