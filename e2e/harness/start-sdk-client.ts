import type { Evaluation } from '@burgee/sdk'
import { askProgram } from './ask-program.ts'
import type { Stage } from './open-stage.ts'
import { SDK_KEY } from './start-server.ts'

export interface Observed {
  readonly evaluations: number
  /** The number of times that all flags had arrived, and that the stream was lost. */
  readonly ready: number
  readonly stale: number
  /** By flag key, each value that differed from the one before. */
  readonly seen: Readonly<Record<string, readonly number[]>>
}

/** The real SDK, as built, in its own process. */
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
  const ask = askProgram(stage, 'sdk-client.mjs', { url, sdkKey, watch })
  return {
    status: () => ask('status'),
    evaluate: (flagKey, userKey, attributes = {}) => ask('evaluate', { flagKey, userKey, attributes }),
    observed: () => ask('observed'),
    latest: () => ask('latest'),
  }
}
