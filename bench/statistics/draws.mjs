/** Draws how many of `trials` succeed at the given rate. It skips from one success to the next. */
export function drawSuccesses(random, trials, rate) {
  if (rate > 0.5) return trials - drawSuccesses(random, trials, 1 - rate)
  const step = Math.log1p(-rate)
  let successes = -1
  for (let at = 0; at <= trials; successes += 1) at += 1 + Math.floor(Math.log(random()) / step)
  return successes
}
