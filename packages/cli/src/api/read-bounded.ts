/**
 * Returns the text of a response, or null when it has more than `maxBytes`. Only what arrives is
 * counted: a response may have no length, or the length of its compressed form.
 */
export async function readBounded(response: Response, maxBytes: number): Promise<string | null> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  // Leaving the loop cancels the rest of the response.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
