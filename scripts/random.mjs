/** Creates random numbers that are equal on every run: sfc32, which passes the usual test batteries. */
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
