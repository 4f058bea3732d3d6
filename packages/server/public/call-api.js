const NO_ANSWER = 'The server does not answer. Is it running, and are you connected to it?'

/** Answers `{status, body}`; when the server cannot be reached, or answers with something else than JSON, `body.error` says so. */
export async function callApi(path, { body, token } = {}) {
  try {
    const response = await fetch(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  } catch {
    return { status: 0, body: { error: NO_ANSWER } }
  }
}
