/** The result of a confirmation in another window: the reason of its failure, or null. */
export interface ConfirmationResult {
  readonly failure: string | null
}

const NAME = 'burgee-confirmation'

/** Sends the result to the window that requested it. The two windows share nothing else. */
export function sendConfirmation(result: ConfirmationResult): void {
  const channel = new BroadcastChannel(NAME)
  channel.postMessage(result)
  channel.close()
}

/** Calls back with each result. Returns the function that ends this. */
export function onConfirmation(callBack: (result: ConfirmationResult) => void): () => void {
  const channel = new BroadcastChannel(NAME)
  channel.onmessage = ({ data }: MessageEvent<ConfirmationResult>) => callBack(data)
  return () => channel.close()
}
