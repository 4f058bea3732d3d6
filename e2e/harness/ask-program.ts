import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Stage } from './open-stage.ts'
import { PATIENCE_MS, within } from './within.ts'

type Ask = <T>(question: string, input?: object) => Promise<T>

/** Runs a program of e2e/programs in its own process and sends it questions by name, which it answers. */
export function askProgram(stage: Stage, name: string, argument: object): Ask {
  const program = fileURLToPath(new URL(`../programs/${name}`, import.meta.url))
  const child = fork(program, [JSON.stringify(argument)], { env: { PATH: process.env.PATH }, execArgv: [] })
  stage.own(child)
  const waiting = new Map<number, (answer: unknown) => void>()
  child.on('message', ({ answer, id }: { id: number; answer: unknown }) => {
    waiting.get(id)?.(answer)
    waiting.delete(id)
  })
  let asked = 0
  return <T>(question: string, input?: object): Promise<T> => {
    const answered = new Promise<T>((resolve, reject) => {
      asked += 1
      // Each program answers a question with one type, which its caller names.
      waiting.set(asked, (answer) => resolve(answer as T))
      child.send({ id: asked, question, input }, (error) => error && reject(error))
    })
    return within(PATIENCE_MS, `the answer of ${name} to "${question}"`, answered)
  }
}
