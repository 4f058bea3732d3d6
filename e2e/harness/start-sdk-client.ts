import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Evaluation } from '@burgee/sdk'
import type { Stage } from './open-stage.ts'
import { SDK_KEY } from './start-server.ts'

const PROGRAM = fileURLToPath(new URL('../programs/sdk-client.mjs', import.meta.url))

export interface Observed {
  readonly evaluations: number
  /** How often all flags were there, and how often the stream was lost. */
  readonly ready: number
  readonly stale: number
  /** By flag key, each value that differed from the one before. */
  readonly seen: Readonly<Record<string, readonly number[]>>
}

/** The real SDK, as built, in a process of its own. */
export interface SdkClient {
  status(): Promise<{ state: string; isReady: boolean; flagCount: number }>
  evaluate(flagKey: string, userKey: string, attributes?: object): Promise<Evaluation>
  observed(): Promise<Observed>
  latest(): Promise<{ ready: number; latest: Readonly<Record<string, number>> }>
}

export function startSdkClient(
  stage: Stage,
  { sdkKey = SDK_KEY, url, watch = [] }: { url: string; sdkKey?: string; watch?: readonly string[] },
): SdkClient {
  const child = fork(PROGRAM, [JSON.stringify({ url, sdkKey, watch })], {
    env: { PATH: process.env.PATH },
    execArgv: [],
  })
  stage.own(child)
  const waiting = new Map<number, (answer: unknown) => void>()
  child.on('message', ({ answer, id }: { id: number; answer: unknown }) => {
    waiting.get(id)?.(answer)
    waiting.delete(id)
  })
  let asked = 0
  const ask = <T>(question: string, input?: object): Promise<T> =>
    new Promise((resolve, reject) => {
      asked += 1
      waiting.set(asked, (answer) => resolve(answer as T))
      child.send({ id: asked, question, input }, (error) => error && reject(error))
    })
  return {
    status: () => ask('status'),
    evaluate: (flagKey, userKey, attributes = {}) => ask('evaluate', { flagKey, userKey, attributes }),
    observed: () => ask('observed'),
    latest: () => ask('latest'),
  }
}
