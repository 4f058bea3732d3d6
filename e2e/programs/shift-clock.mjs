import { readFileSync } from 'node:fs'

/**
 * Loaded into a server before its own code, to simulate steps of the machine's wall clock: after SIGUSR2 the
 * time is the real one plus the milliseconds in the file of BURGEE_CLOCK_FILE. Timers and `performance.now()`
 * continue, as they do on a machine.
 */
const RealDate = Date
let shiftMs = 0

process.on('SIGUSR2', () => {
  shiftMs = Number(readFileSync(process.env.BURGEE_CLOCK_FILE, 'utf8'))
})

const now = () => RealDate.now() + shiftMs

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(
      target,
      args.length === 0 ? [now()] : args,
      newTarget === globalThis.Date ? target : newTarget,
    ),
  apply: () => new RealDate(now()).toString(),
  get: (target, property) => (property === 'now' ? now : Reflect.get(target, property)),
})
