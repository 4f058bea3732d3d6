import { isIP } from 'node:net'
import { classifyAddress } from './classify-address.ts'
import type { PrivateTargets } from './private-targets.ts'

export interface TargetRules {
  readonly kind: 'webhook' | 'chat'
  /** The rules for private targets, which apply to webhooks and chats. */
  readonly privateTargets: PrivateTargets
}

/** The only hosts that a chat may have without TLS (docs/reference/events.md#slack-and-teams). */
const PLAIN_CHAT_HOSTS = ['127.0.0.1', 'localhost', '[::1]']

const METADATA_NAMES = [
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'instance-data',
  'instance-data.ec2.internal',
]

/** The addresses of this machine's names. */
const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1']
const LOOPBACK_NAME = /(?:^|\.)localhost$/

/**
 * Returns why an address cannot be a receiver, as a message that states what to do and repeats only its host;
 * null when it can. Names are checked again by their addresses at each connection.
 */
export function findTargetProblem(url: string, rules: TargetRules): string | null {
  const target = readTarget(url)
  if ('problem' in target) return target.problem
  const { host, protocol } = target
  if (rules.kind === 'chat' && protocol === 'http:' && !PLAIN_CHAT_HOSTS.includes(host)) {
    return `must begin with https://; plain http is for ${PLAIN_CHAT_HOSTS.join(', ')} only`
  }
  return findHostProblem(host, rules.privateTargets)
}

type Target = { readonly host: string; readonly protocol: string } | { readonly problem: string }

/**
 * Splits the text before parsing it: URL parsers repair too much, and two parsers may repair in different
 * ways.
 */
function readTarget(url: string): Target {
  if (BLANK.test(url))
    return { problem: 'must not contain blanks or control characters; write them as %20 and the like' }
  if (url.includes('\\')) return { problem: 'must not contain a backslash; write it as /, or as %5C' }
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1]
  if (authority === undefined) return { problem: 'must begin with https:// or http://' }
  if (authority.includes('@')) return { problem: 'must not have a user name or password before the host' }
  if (authority.includes('%')) return { problem: 'must not have percent-encoding in its host' }
  const [, writtenHost] = /^(\[[^\]]*\]|[^:[\]]*)(?::\d{1,5})?$/.exec(authority) ?? []
  const parsed = parseUrl(url)
  if (writtenHost === undefined || writtenHost === '' || parsed === null) {
    return { problem: 'is not an address such as https://host/path' }
  }
  if (asciiLowerCase(writtenHost) !== parsed.hostname) {
    return { problem: `must have its host in the plain notation: ${parsed.hostname}` }
  }
  if (parsed.hostname.endsWith('.')) return { problem: 'must not have a dot at the end of its host' }
  return { host: parsed.hostname, protocol: parsed.protocol }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const BLANK = /[\s\u0000-\u001f\u007f-\u009f]/

/**
 * Converts ASCII letters only: `toLowerCase` turns other letters into ASCII ones, such as the Kelvin sign
 * into k.
 */
const asciiLowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

const parseUrl = (url: string): URL | null => (URL.canParse(url) ? new URL(url) : null)

function findHostProblem(host: string, privateTargets: PrivateTargets): string | null {
  if (METADATA_NAMES.includes(host)) return NEVER_REACHED
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) !== 0) return findAddressProblem(address, privateTargets)
  if (!LOOPBACK_NAME.test(host) || privateTargets.allowsHost(host)) return null
  return LOOPBACK_ADDRESSES.some(privateTargets.allowsAddress) ? null : BLOCKED
}

const NEVER_REACHED =
  'is a link-local, metadata, multicast or unspecified address; those are never reached, choose another receiver'
const BLOCKED =
  'is a private address, and BLOCK_PRIVATE_TARGETS refuses those; choose a public receiver, or add this one to OUTBOUND_ALLOW'

/**
 * Returns why an IP address without brackets cannot be a receiver. `name` is the name that resolved to it.
 */
export function findAddressProblem(
  address: string,
  privateTargets: PrivateTargets,
  name?: string,
): string | null {
  switch (classifyAddress(address)) {
    case 'forbidden':
      return NEVER_REACHED
    case 'private':
      return privateTargets.allowsAddress(address) || (name !== undefined && privateTargets.allowsHost(name))
        ? null
        : BLOCKED
    case 'public':
      return null
  }
}
