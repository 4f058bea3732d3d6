/** The bytes of keys: ASCII letters, digits, underscore and hyphen. */
const KEY_BYTES = 64
const CLASS_OF = new Uint8Array(256).fill(255)
for (const [at, character] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-',
].entries())
  CLASS_OF[character.charCodeAt(0)] = at

/** The byte is no part of a key. */
export const NO_KEY_BYTE = 255
/** The bytes so far begin no known key. */
export const DEAD = -1
export const START = 0

/** Known keys as an automaton over bytes. */
export interface KeyTrie {
  /** Returns the state after a byte of a key, by its class. */
  step(state: number, byteClass: number): number
  /** Returns the place of the key that ends in a state; -1 when none does. */
  keyAt(state: number): number
}

/** Returns the class of a byte, from 0 to 63, or `NO_KEY_BYTE`. */
export const classOf = (byte: number): number => CLASS_OF[byte] ?? NO_KEY_BYTE

/**
 * Builds the automaton of Aho and Corasick (1975) for keys in quotes. A key has no quote, so each failure
 * leads back to the start, and only the trie is left.
 */
export function createKeyTrie(keys: readonly string[]): KeyTrie {
  const states = 1 + keys.reduce((sum, key) => sum + key.length, 0)
  const next = new Int32Array(states * KEY_BYTES).fill(DEAD)
  const ends = new Int32Array(states).fill(-1)
  let used = 1
  for (const [place, key] of keys.entries()) {
    let state = START
    for (const character of key) {
      const at = state * KEY_BYTES + classOf(character.charCodeAt(0) & 255)
      let following = next[at] ?? DEAD
      if (following === DEAD) {
        following = used
        next[at] = used
        used += 1
      }
      state = following
    }
    ends[state] = place
  }
  return {
    step: (state, byteClass) => next[state * KEY_BYTES + byteClass] ?? DEAD,
    keyAt: (state) => (state === DEAD ? -1 : (ends[state] ?? -1)),
  }
}
