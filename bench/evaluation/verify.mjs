/** Returns a contestant's question with its inputs, after checking that its results are right. */
export async function verify({ name, questions }, { name: question, users, right }) {
  const { prepare, ask, isAsync = false } = questions[question]
  const inputs = users.map(prepare)
  const responses = []
  for (const input of inputs) responses.push(await ask(input))
  if (!right(responses)) {
    throw new Error(
      `${name} gives wrong responses for ${question}, such as ${JSON.stringify(responses.slice(0, 8))}`,
    )
  }
  return { ask, inputs, isAsync }
}
