import type { Log } from '../platform/log/log.ts'
import { type Config, isProduction } from '../platform/settings/config.ts'

/**
 * Logs once at start which targets deliveries may reach, which the operator of a production server may not
 * know.
 */
export function warnOfOpenTargets(log: Log, config: Config): void {
  if (config.blockPrivateTargets) return
  if (config.outboundAllow.length > 0) {
    log.warn(
      'OUTBOUND_ALLOW has no effect: BLOCK_PRIVATE_TARGETS is off, so every private address may be reached',
    )
  } else if (isProduction(config)) {
    log.warn(
      'BLOCK_PRIVATE_TARGETS is off: webhooks and chat alerts may be sent to private addresses. Set it to true, and list those that you need in OUTBOUND_ALLOW',
    )
  }
}
