import { readFileSync } from 'node:fs'

/**
 * Loaded into a server before its own code, as if the wall clock of its machine were stepped: after SIGUSR2 the time is the real one
 * plus the milliseconds that the file of BURGEE_CLOCK_FILE holds. Timers and `performance.now()` go on, as they do on a machine.
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
