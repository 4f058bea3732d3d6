/** Returns the function of a client for each type. JavaScript has one for both kinds of numbers. */
export const evaluatorsOf = (client) => ({
  boolean: client.getBooleanDetails.bind(client),
  string: client.getStringDetails.bind(client),
  integer: client.getNumberDetails.bind(client),
  float: client.getNumberDetails.bind(client),
  object: client.getObjectDetails.bind(client),
})

export function print({ errorCode, reason, value, variant }) {
  process.stdout.write(`${JSON.stringify({ value, variant, reason, errorCode })}\n`)
}
