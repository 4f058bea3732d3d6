import { connect, type Socket } from 'node:net'
import { assessConnection } from './assess-connection.ts'
import type { ConnectionPlan } from './plan-connection.ts'

/** The time after which a server that neither responds nor closes hangs. */
const PATIENCE_MS = 60_000

/** Runs a plan; returns the problems. */
export function runConnection(port: number, plan: ConnectionPlan): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let bytes = ''
    let isOver = false

    const finish = (problems: readonly string[]) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      socket.destroy()
      resolve(problems)
    }
    const check = (isClosed: boolean) => {
      const { isDone, problems } = assessConnection(plan, bytes, isClosed)
      if (isClosed || isDone || problems.length > 0) finish(problems)
    }
    const timer = setTimeout(
      () => finish(['the server neither responds nor closes the connection']),
      PATIENCE_MS,
    )
    socket.on('data', (piece) => {
      bytes += piece.toString('latin1')
      check(false)
    })
    // A reset is an end like others; the due responses before it are checked.
    socket.on('error', () => undefined)
    socket.on('close', () => check(true))
    socket.on('connect', async () => {
      const hasLeft = await sendPlan(socket, plan)
      if (hasLeft) finish([])
      else check(false)
    })
  })
}

/** Sends everything, or what the plan sends before it leaves. True when it has left. */
async function sendPlan(socket: Socket, { end, pieces }: ConnectionPlan): Promise<boolean> {
  let sent = 0
  for (const piece of pieces) {
    const isLeaving = 'after' in end && sent + piece.length >= end.after
    const bytes = isLeaving ? piece.slice(0, end.after - sent) : piece
    if (socket.destroyed) return false
    socket.write(bytes, 'latin1')
    sent += bytes.length
    if (isLeaving) break
    if (pieces.length > 1) await new Promise(setImmediate)
  }
  if (end.kind === 'half') socket.end()
  if (end.kind === 'reset') socket.resetAndDestroy()
  if (end.kind === 'leave') socket.destroy()
  return 'after' in end
}
