/** Waits for a condition, checked in every turn of the event loop. Fails after 30 s: machines are busy. */
export async function until(condition: () => boolean, what = condition.toString()): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`still not true: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
