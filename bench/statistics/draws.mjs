/**
 * Creates random numbers that are equal on every run: sfc32, a small generator that passes the usual
 * batteries.
 */
export function createRandom(seed) {
  let [a, b, c, counter] = [0, seed >>> 0, 0x9e3779b9, 1]
  const next = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return ((sum >>> 0) + 0.5) / 2 ** 32
  }
  for (let warmUp = 0; warmUp < 15; warmUp += 1) next()
  return next
}

/** Draws how many of `trials` succeed at the given rate. It skips from one success to the next. */
export function drawSuccesses(random, trials, rate) {
  if (rate > 0.5) return trials - drawSuccesses(random, trials, 1 - rate)
  const step = Math.log1p(-rate)
  let successes = -1
  for (let at = 0; at <= trials; successes += 1) at += 1 + Math.floor(Math.log(random()) / step)
  return successes
}
