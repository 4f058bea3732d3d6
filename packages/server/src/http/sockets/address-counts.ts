/** Counts the open connections or requests of each address. */
export interface AddressCounts {
  /** Counts one for the address. Returns false, without counting, when it has reached its limit. */
  enter(address: string): boolean
  leave(address: string): void
}

export function createAddressCounts(max: number): AddressCounts {
  const counts = new Map<string, number>()
  return {
    enter(address) {
      const count = counts.get(address) ?? 0
      if (count >= max) return false
      counts.set(address, count + 1)
      return true
    },
    leave(address) {
      const count = (counts.get(address) ?? 1) - 1
      if (count > 0) counts.set(address, count)
      else counts.delete(address)
    },
  }
}
