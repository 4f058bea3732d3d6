import type { Environment } from '@burgee/contract'
import { ActionIcon, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { EnvironmentDot } from '../../../shared/ui/environment-dot.tsx'
import classes from './order-dialog.module.css'

interface OrderDialogProps {
  readonly environments: readonly Environment[]
  /** True if there is an order of the person's own. */
  readonly isOwn: boolean
  readonly onClose: () => void
  /** An empty order is the usual one. */
  readonly onStore: (order: string[]) => void
}

/** The order of the switcher, for the person who is signed in. */
export function OrderDialog({ environments, isOwn, onClose, onStore }: OrderDialogProps) {
  const [ids, setIds] = useState(() => environments.map(({ id }) => id))
  const list = useRef<HTMLUListElement>(null)
  const byId = new Map(environments.map((each) => [each.id, each]))
  const move = (from: number, to: number, label: string) => {
    const moved = [...ids]
    const [id] = moved.splice(from, 1)
    if (id === undefined || to < 0 || to > moved.length) return
    moved.splice(to, 0, id)
    setIds(moved)
    // The button moves with its row and keeps the focus.
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-id="${id}"] [data-move="${label}"]`)?.focus(),
    )
  }
  const close = (order: string[] | null) => {
    if (order) onStore(order)
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title="Order of the environments">
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          Only your own list changes, in every browser that you use.
        </Text>
        <ul ref={list} className={classes.list} aria-label="Environments in order">
          {ids.map((id, place) => {
            const { color = '', name = '' } = byId.get(id) ?? {}
            return (
              <li key={id} data-id={id} className={classes.row}>
                <EnvironmentDot color={color} />
                <Text span size="sm" truncate flex={1}>
                  {name}
                </Text>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  data-move="up"
                  aria-label={`Move ${name} up`}
                  aria-disabled={place === 0}
                  onClick={() => move(place, place - 1, 'up')}
                >
                  <IconArrowUp size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  data-move="down"
                  aria-label={`Move ${name} down`}
                  aria-disabled={place === ids.length - 1}
                  onClick={() => move(place, place + 1, 'down')}
                >
                  <IconArrowDown size={16} />
                </ActionIcon>
              </li>
            )
          })}
        </ul>
        <Group justify="space-between">
          <Button variant="subtle" color="gray" disabled={!isOwn} onClick={() => close([])}>
            Usual order
          </Button>
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button onClick={() => close(ids)}>Save order</Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  )
}
