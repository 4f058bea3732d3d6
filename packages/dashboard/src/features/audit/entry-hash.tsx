import type { AuditEntry } from '@burgee/contract'
import { Code, Text } from '@mantine/core'
import classes from './audit.module.css'

/** The place of an entry in its chain, and its hash, which open on a click. */
export function EntryHash({ entry }: { readonly entry: AuditEntry }) {
  const { chain, hash, seq } = entry
  if (typeof hash !== 'string' || typeof seq !== 'number') return null
  return (
    <details className={classes.entryHash}>
      <summary>Hash</summary>
      <Text size="xs" c="dimmed" component="div">
        Entry {seq.toLocaleString('en')} of{' '}
        {chain === 'workspace' ? 'the chain of the workspace' : 'the chain of its environment'}
      </Text>
      <Code className={classes.hash}>{hash}</Code>
    </details>
  )
}
