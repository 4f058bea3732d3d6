import { cutLine } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import classes from './flow.module.css'

const VALUE_MAX = 48

/** A value within a sentence. */
export function ShownValue({ value }: { readonly value: JsonValue }) {
  if (value === null) return <>the value in the code</>
  return <code className={classes.value}>{cutLine(JSON.stringify(value), VALUE_MAX)}</code>
}
