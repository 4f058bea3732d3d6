import { connect as connectPlainly, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { findProxy, openTunnel, type ProxySettings } from '@burgee/egress'
import { findAddressProblem } from './find-target-problem.ts'
import type { PrivateTargets } from './private-targets.ts'
import type { ResolveName } from './resolve-name.ts'
import { TargetRefused } from './target-refused.ts'

/** The time after which the next of several addresses is tried as well (RFC 8305). */
const NEXT_ADDRESS_MS = 1_000

interface ConnectDeps {
  readonly resolve: ResolveName
  readonly privateTargets: PrivateTargets
  readonly proxy: ProxySettings
  /**
   * Receives the socket immediately, so that an attempt that is aborted while connecting leaves none behind.
   */
  readonly onSocket: (socket: Socket) => void
}

/** Opens a socket to a host, and calls back once: with an error, or with the socket when it is connected. */
export type ConnectToTarget = (
  target: { readonly hostname: string; readonly port: string; readonly protocol: string },
  callback: (error: Error | null, socket?: Socket) => void,
) => void

/**
 * Connects to the current addresses of a host, and only to those that may be reached: a name that was changed
 * to another address after its URL was stored (DNS rebinding) gains nothing. Certificates are verified.
 */
export function createTargetConnector(deps: ConnectDeps): ConnectToTarget {
  return ({ hostname, port, protocol }, callback) => {
    const problem = isIP(hostname) === 0 ? null : findAddressProblem(hostname, deps.privateTargets)
    if (problem !== null) return callback(new TargetRefused(problem))
    const isSecure = protocol === 'https:'
    const proxy = findProxy(new URL(`${protocol}//${inUrl(hostname)}${port && `:${port}`}`), deps.proxy)
    if (proxy !== null) {
      const { onSocket } = deps
      const tunnel = { proxy, hostname: inUrl(hostname), port: Number(port || defaultPort(true)), onSocket }
      void openCheckedTunnel(deps, hostname, () => openTunnel(tunnel, callback)).catch(callback)
      return
    }
    const options = {
      host: hostname,
      port: port === '' ? defaultPort(isSecure) : Number(port),
      lookup: createLookup(deps),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    }
    const socket = isSecure
      ? connectSecurely({ ...options, ALPNProtocols: ['http/1.1'], ...serverName(hostname) })
      : connectPlainly(options)
    deps.onSocket(socket)
    let isSettled = false
    const settle = (error: Error | null): void => {
      if (isSettled) return
      isSettled = true
      if (error === null) callback(null, socket)
      else callback(error)
    }
    socket.setNoDelay(true)
    socket.once(isSecure ? 'secureConnect' : 'connect', () => settle(null))
    socket.on('error', settle)
    socket.once('close', () => settle(new Error('closed while connecting')))
  }
}

const inUrl = (hostname: string): string => (isIP(hostname) === 6 ? `[${hostname}]` : hostname)

/**
 * Refuses a name that resolves to an address which may not be reached, before the proxy learns of it. A name
 * that only the proxy can resolve is left to it, unless private targets are blocked.
 */
async function openCheckedTunnel(deps: ConnectDeps, hostname: string, open: () => void): Promise<void> {
  if (isIP(hostname) !== 0) return open()
  const addresses = await deps.resolve(hostname).catch(() => [])
  if (addresses.length > 0) keepReachable(hostname, addresses, deps.privateTargets)
  else if (!deps.privateTargets.allowsHost(hostname)) throw new TargetRefused(UNRESOLVED)
  open()
}

const UNRESOLVED =
  'has a name that this server cannot resolve, so it cannot be checked; add it to OUTBOUND_ALLOW to leave it to the proxy'

const defaultPort = (isSecure: boolean): number => (isSecure ? 443 : 80)

/** Returns the server name. Certificates for IP addresses are requested without one (RFC 6066). */
const serverName = (hostname: string): { servername?: string } =>
  isIP(hostname) === 0 ? { servername: hostname } : {}

/** Creates a look-up for sockets that returns only addresses which may be reached. */
function createLookup({ privateTargets, resolve }: ConnectDeps): LookupFunction {
  return (name, options, callback) => {
    resolve(name)
      .then((addresses) => keepReachable(name, addresses, privateTargets))
      .then(
        (reachable) => {
          const [first] = reachable
          if (options.all === true) callback(null, reachable)
          else callback(null, first?.address ?? '', first?.family)
        },
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), ''),
      )
  }
}

function keepReachable(
  name: string,
  addresses: readonly string[],
  privateTargets: PrivateTargets,
): { address: string; family: number }[] {
  const problems = addresses.map((address) => findAddressProblem(address, privateTargets, name))
  const reachable = addresses.filter((_, index) => problems[index] === null)
  if (reachable.length > 0) return reachable.map((address) => ({ address, family: isIP(address) }))
  throw new TargetRefused(problems[0] ?? 'has no address')
}
