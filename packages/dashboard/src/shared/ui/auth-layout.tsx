import { Text } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './auth-layout.module.css'
import { BurgeeMark } from './burgee-mark.tsx'

interface AuthLayoutProps {
  /** The tab's title. The page's `h1` is in the content. */
  readonly title: string
  readonly width?: 'narrow' | 'wide'
  readonly children: ReactNode
}

/** The frame of the pages before login: the logo, and one thing to do. */
export function AuthLayout({ title, width = 'narrow', children }: AuthLayoutProps) {
  useDocumentTitle(`${title} · Burgee`)
  return (
    <div className={classes.frame}>
      <Sea />
      <header className={classes.sign}>
        <BurgeeMark size={26} />
        <Text span fw={620} size="lg">
          Burgee
        </Text>
      </header>
      <main className={classes.content} data-width={width}>
        {children}
      </main>
    </div>
  )
}

/** Two swells at the foot of the page. */
function Sea() {
  return (
    <svg className={classes.sea} viewBox="0 0 1440 200" preserveAspectRatio="none" aria-hidden="true">
      <path d="M0 92c180-52 380-46 620-6s520 44 820-22v136H0z" />
      <path d="M0 142c260 34 470 18 700-10s470-40 740 6v62H0z" />
    </svg>
  )
}
