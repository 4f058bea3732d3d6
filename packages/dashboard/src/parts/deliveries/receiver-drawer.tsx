import { Drawer, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface ReceiverDrawerProps {
  readonly isOpen: boolean
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The form of a webhook or chat alert, beside the list. A click outside keeps what was typed. */
export const ReceiverDrawer = ({ isOpen, title, onClose, children }: ReceiverDrawerProps) => (
  <Drawer
    opened={isOpen}
    onClose={onClose}
    position="right"
    size="md"
    closeOnClickOutside={false}
    title={title}
  >
    {children}
  </Drawer>
)

interface DeliveriesDrawerProps {
  /** The name of the receiver whose deliveries are open; undefined while none are. */
  readonly name: string | undefined
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The delivery log of a webhook or chat alert, beside the list. */
export const DeliveriesDrawer = ({ name, onClose, children }: DeliveriesDrawerProps) => (
  <Drawer
    opened={name !== undefined}
    onClose={onClose}
    position="right"
    size="xl"
    title={
      name !== undefined && (
        <Text span lineClamp={2}>
          Deliveries of {name}
        </Text>
      )
    }
  >
    {children}
  </Drawer>
)
