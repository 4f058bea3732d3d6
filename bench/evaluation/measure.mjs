const ROUNDS = 15
/** The approximate duration of one round of one question. */
const ROUND_MS = 40

/** The sink of results, so that no engine can optimize the question away. */
const sink = { responses: 0 }

/**
 * Measures nanoseconds for each question, as the median of interleaved rounds: in each round every contestant
 * has its turn, so that other load on the machine affects all alike.
 * @param questions `[{ ask, inputs, isAsync }]`
 * @returns The medians, in the same order.
 */
export async function measure(questions) {
  const turns = questions.map((question) => ({ ...question, loop: loopFor(question) }))
  const repeats = []
  for (const turn of turns) repeats.push(await repeatsFor(turn))
  const samples = turns.map(() => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, turn] of turns.entries()) samples[index].push(await time(turn, repeats[index]))
  }
  return samples.map((times) => times.sort((left, right) => left - right)[Math.floor(ROUNDS / 2)])
}

/** Warms the question up, and determines how often it fits into a round. */
async function repeatsFor(turn) {
  let repeats = 1
  for (let warm = 0; warm < 12; ) {
    const milliseconds = ((await time(turn, repeats)) * repeats * turn.inputs.length) / 1e6
    if (milliseconds < ROUND_MS / 2) repeats *= 2
    else warm++
  }
  return repeats
}

async function time({ ask, inputs, loop }, repeats) {
  const started = process.hrtime.bigint()
  await loop(ask, inputs, repeats, sink)
  return Number(process.hrtime.bigint() - started) / (repeats * inputs.length)
}

/**
 * Creates a loop for each question: engines optimize a loop for what it has seen, and no contestant should
 * pay for another.
 */
function loopFor({ isAsync }) {
  const [prefix, wait] = isAsync ? ['async ', 'await '] : ['', '']
  return new Function(`return ${prefix}function (ask, inputs, repeats, sink) {
    for (let repeat = 0; repeat < repeats; repeat++) {
      for (let index = 0; index < inputs.length; index++) {
        if ((${wait}ask(inputs[index])) !== null) sink.responses++
      }
    }
  }`)()
}
