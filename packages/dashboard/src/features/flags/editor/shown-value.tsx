import { cutLine } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { useValueName } from '../../../shared/ui/value-names.tsx'
import classes from './flow.module.css'

const VALUE_MAX = 48

/** A value within a sentence. */
export function ShownValue({ value }: { readonly value: JsonValue }) {
  const name = useValueName()(value)
  if (name !== null)
    return <b title={cutLine(JSON.stringify(value), VALUE_MAX)}>{cutLine(name, VALUE_MAX)}</b>
  if (value === null) return <>the value in the code</>
  return <code className={classes.value}>{cutLine(JSON.stringify(value), VALUE_MAX)}</code>
}
