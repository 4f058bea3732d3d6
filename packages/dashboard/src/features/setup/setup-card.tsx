import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './setup.module.css'

/** The one thing that is to be done now. */
export function SetupCard({ children }: { readonly children: ReactNode }) {
  return (
    <Paper withBorder radius="lg" p={{ base: 'lg', xs: 32 }} className={classes.card}>
      {children}
    </Paper>
  )
}
