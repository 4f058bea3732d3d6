/** Query parameters that carry a credential: the stream's SDK key and the wizard's set-up token. */
const SECRET_PARAMETERS = ['sdk_key', 'token']

const MASK = '[redacted]'

/** `url` (whole or path and query) with the credentials in its query, and any bare key or token in it, masked. */
export function redactUrl(url: string): string {
  const question = url.indexOf('?')
  if (question === -1) return maskBareSecrets(url)
  const path = url.slice(0, question)
  const parameters = url
    .slice(question + 1)
    .split('&')
    .map(maskParameter)
  return maskBareSecrets(`${path}?${parameters.join('&')}`)
}

/** Names are compared decoded: `sdk%5Fkey=` reaches the server as `sdk_key` too. */
function maskParameter(parameter: string): string {
  const equals = parameter.indexOf('=')
  if (equals === -1) return parameter
  const name = parameter.slice(0, equals)
  return SECRET_PARAMETERS.includes(decoded(name).trim().toLowerCase()) ? `${name}=${MASK}` : parameter
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

function maskBareSecrets(text: string): string {
  return text.replace(/\b(sk_live_|pat_)[A-Za-z0-9_-]+/g, `$1${MASK}`)
}
