import { useLayoutEffect, useRef, useState } from 'react'

type Actions<T> = { readonly [K in keyof T]: (...args: never[]) => void }

/**
 * Returns functions that never change and call those of the latest render, so that memoized parts are not
 * drawn again for them.
 */
export function useStableActions<T extends Actions<T>>(actions: T): T {
  const latest = useRef(actions)
  useLayoutEffect(() => {
    latest.current = actions
  })
  const [stable] = useState(() => {
    const entries = Object.keys(actions).map((name) => {
      const run = (...args: never[]) => latest.current[name as keyof T](...args)
      return [name, run]
    })
    // It has the fields of `actions`, with functions of the same types.
    return Object.fromEntries(entries) as T
  })
  return stable
}
