/** The bytes of one delivery, and the host that receives them. */
export interface HostLoad {
  readonly host: string
  readonly bytes: number
}

/** Bounds the bytes that are being sent to each host. */
export interface HostBudget {
  /** Counts a load. Returns false, without counting, when the host is to receive no more now. */
  enter(load: HostLoad): boolean
  /** Releases a load, and the receivers of its host that fit now. */
  leave(load: HostLoad): void
  /** Keeps a receiver, whose load did not enter, from being claimed until it fits. */
  hold(receiver_id: string, load: HostLoad): void
  /** The ids of receivers that are kept from being claimed. */
  held(): string[]
}

interface Host {
  bytes: number
  loads: number
  /** The bytes of the receivers that wait, by id, in the order in which they came. */
  readonly waiting: Map<string, number>
}

/**
 * Creates the budget. A host without a running delivery always gets one, however large it is. Receivers wait
 * only while one runs, so each of them is released in the end.
 */
export function createHostBudget(maxBytes: number): HostBudget {
  const hosts = new Map<string, Host>()

  /** Lets the receivers go that fit beside what is running, in their order. */
  function release({ bytes, waiting }: Host): void {
    let left = maxBytes - bytes
    for (const [id, size] of waiting) {
      if (size > left) return
      left -= size
      waiting.delete(id)
    }
  }

  return {
    enter({ bytes, host: name }) {
      const host = hosts.get(name) ?? { bytes: 0, loads: 0, waiting: new Map() }
      if (host.loads > 0 && host.bytes + bytes > maxBytes) return false
      host.bytes += bytes
      host.loads += 1
      hosts.set(name, host)
      return true
    },
    leave({ bytes, host: name }) {
      const host = hosts.get(name)
      if (!host) return
      host.bytes -= bytes
      host.loads -= 1
      if (host.loads === 0) hosts.delete(name)
      else release(host)
    },
    hold(receiver_id, { bytes, host }) {
      hosts.get(host)?.waiting.set(receiver_id, bytes)
    },
    held: () => [...hosts.values()].flatMap(({ waiting }) => [...waiting.keys()]),
  }
}
