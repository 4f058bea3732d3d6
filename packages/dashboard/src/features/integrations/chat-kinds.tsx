import type { Integration } from '@burgee/contract'
import { IconBrandSlack, IconBrandTeams } from '@tabler/icons-react'
import type { ReactNode } from 'react'

export type ChatKind = Integration['kind']

interface KindLooks {
  readonly name: string
  readonly icon: ReactNode
  /** An example of its addresses. */
  readonly placeholder: string
  /** The place that its address comes from. */
  readonly where: string
}

export const CHAT_KINDS: Readonly<Record<ChatKind, KindLooks>> = {
  slack: {
    name: 'Slack',
    icon: <IconBrandSlack size={18} />,
    placeholder: 'https://hooks.slack.com/services/…',
    where: 'From the app “Incoming webhooks” of your Slack workspace.',
  },
  teams: {
    name: 'Teams',
    icon: <IconBrandTeams size={18} />,
    placeholder: 'https://….logic.azure.com/workflows/…',
    where: 'From the workflow “When a Teams webhook request is received”.',
  },
}
