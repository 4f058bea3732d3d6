/** Returns a contestant's question with its inputs, after checking that its results are right. */
export async function verify({ name, questions }, { name: question, users, right }) {
  const { prepare, ask, isAsync = false } = questions[question]
  const inputs = users.map(prepare)
  const answers = []
  for (const input of inputs) answers.push(await ask(input))
  if (!right(answers)) {
    throw new Error(
      `${name} gives wrong answers for ${question}, such as ${JSON.stringify(answers.slice(0, 8))}`,
    )
  }
  return { ask, inputs, isAsync }
}
