/** Waits for a condition, which it checks in every turn of the event loop. Fails after 5 s. */
export async function until(condition: () => boolean, what = condition.toString()): Promise<void> {
  const deadline = Date.now() + 5_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`still not true: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
