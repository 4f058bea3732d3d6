import type { WireMessage } from './messages.ts'
import { parseAnswers, type WireAnswer } from './parse-answers.ts'
import type { ConnectionPlan } from './plan-connection.ts'

const READY = /\nevent: ready\ndata: \d+\n\n/

/** The state of a connection according to its bytes so far. */
export interface Assessment {
  /** The problems as sentences; empty when there are none. */
  readonly problems: readonly string[]
  /** True when every due response has arrived, and the server keeps the connection open. */
  readonly isDone: boolean
}

/** Compares the bytes of a connection with what the requests must get. */
export function assessConnection(plan: ConnectionPlan, bytes: string, isClosed: boolean): Assessment {
  const { messages } = plan
  const finalAt = messages.findIndex(({ outcome }) => outcome !== 'next')
  const { answers, problem } = parseAnswers(
    bytes,
    messages.map(({ method }) => method),
  )
  // A client that was notified of the end of the connection expects nothing more.
  const closedAt = answers.findIndex(({ closes }) => closes)
  const ends = [finalAt, closedAt].filter((at) => at !== -1)
  const due = messages.slice(0, ends.length === 0 ? undefined : Math.min(...ends) + 1)
  const problems = problem === null ? [] : [problem]
  if (answers.length > due.length) problems.push(`${answers.length} responses to ${due.length} requests`)
  answers.forEach((answer, at) => {
    const message = due[at]
    if (message) problems.push(...assessAnswer(message, answer))
  })
  if (isClosed && plan.end.kind === 'wait') problems.push(...assessEnd(plan, due, answers))
  return { problems, isDone: isOver(plan, due, answers) }
}

function assessAnswer({ body, name, statuses }: WireMessage, answer: WireAnswer): string[] {
  if (!statuses.includes(answer.status))
    return [`${name}: status ${answer.status}, not ${statuses.join(' or ')}`]
  const isAssessed = body !== undefined && answer.isComplete
  return isAssessed && !body.test(answer.body) ? [`${name}: the body is ${answer.body.slice(0, 80)}`] : []
}

/** Checks the responses that a waiting client must have got before the server closed the connection. */
function assessEnd(
  { messages }: ConnectionPlan,
  due: readonly WireMessage[],
  answers: readonly WireAnswer[],
): string[] {
  const final = due.at(-1)
  const complete = answers.filter(({ isComplete }) => isComplete).length
  switch (final?.outcome) {
    case 'next':
      if (answers.at(-1)?.closes === true && complete === due.length) return []
      return ['the connection was closed without a reason']
    case 'last':
      return complete === due.length ? [] : [`closed after ${complete} of ${due.length} responses`]
    case 'odd':
    case 'half':
      return complete >= due.length - 1 ? [] : [`closed after ${complete} of ${due.length - 1} responses`]
    case 'stream':
      // With a request after it the connection is closed, whatever was being sent.
      return messages.length > due.length ? [] : ['a stream was closed although nothing came behind it']
    default:
      return []
  }
}

/** Returns whether nothing more is expected. Connections that the server closes by itself are awaited. */
function isOver(
  { messages }: ConnectionPlan,
  due: readonly WireMessage[],
  answers: readonly WireAnswer[],
): boolean {
  const final = due.at(-1)
  const complete = answers.filter(({ isComplete }) => isComplete).length
  switch (final?.outcome) {
    case 'next':
      return complete === due.length && answers.at(-1)?.closes !== true
    case 'odd':
      return complete === due.length
    case 'half':
      return complete >= due.length - 1
    case 'stream':
      return messages.at(-1) === final && READY.test(answers[due.length - 1]?.body ?? '')
    default:
      return false
  }
}
