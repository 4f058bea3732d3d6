import { type Flag, nameOfValue } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { createContext, type ReactNode, useContext } from 'react'

type Names = Flag['variant_names']

const NamesContext = createContext<Names>(undefined)

interface ValueNamesProps {
  /** The names of the flag whose values are inside. */
  readonly names: Names
  readonly children: ReactNode
}

/** Gives the values inside their names. */
export function ValueNames({ names, children }: ValueNamesProps) {
  return <NamesContext value={names}>{children}</NamesContext>
}

/** Returns the function that finds the name of a value of the flag around; null where it has none. */
export function useValueName(): (value: JsonValue) => string | null {
  const names = useContext(NamesContext)
  return (value) => nameOfValue(names, value)
}
