import type { Environment, Flag } from '@burgee/contract'
import { Button, Group, Popover, Stack, Switch, Text } from '@mantine/core'
import { memo, useRef, useState } from 'react'
import { ImpactPanel, patchOfFlag, useOverride } from '../../../parts/impact/index.tsx'
import type { Explained } from '../../../shared/api/call.ts'
import { bothPermissions, useComment } from '../../../shared/comments/use-comment.tsx'
import type { Permission } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Gated } from '../../../shared/ui/gated.tsx'
import classes from './flag-table.module.css'

interface FlagSwitchProps {
  readonly flag: Flag
  readonly tabIndex: number
  /** For assistive technology; where it is left out, the key alone. */
  readonly label?: string
  /**
   * The end of the question before a switch, from the environment's name on. Null if the switch happens at
   * once.
   */
  readonly question: string | null
  readonly permission: Permission
  /** The environment that the switch's comment is for. */
  readonly environment: Environment | undefined
  readonly onSwitch: (key: string, is_enabled: boolean, explained?: Explained) => void
}

const ARCHIVED: Permission = { isAllowed: false, reason: 'It is archived. Unarchive it to switch it.' }

/** Turns a flag on or off in its row. */
export const FlagSwitch = memo(function FlagSwitch(props: FlagSwitchProps) {
  const { flag, tabIndex, label = `${props.flag.key} is on`, question, onSwitch } = props
  const [isAsking, setAsking] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const permission = flag.archived_at === null || !props.permission.isAllowed ? props.permission : ARCHIVED
  const close = () => {
    setAsking(false)
    input.current?.focus({ preventScroll: true })
  }
  return (
    <>
      <Gated permission={permission}>
        <Switch
          ref={input}
          size="sm"
          {...(classes.track && { classNames: { track: classes.track } })}
          checked={flag.is_enabled}
          onChange={() => (question === null ? onSwitch(flag.key, !flag.is_enabled) : setAsking(true))}
          tabIndex={tabIndex}
          aria-label={label}
        />
      </Gated>
      {isAsking && (
        <Popover
          opened
          withRoles={false}
          onClose={close}
          trapFocus
          position="bottom-start"
          withArrow
          middlewares={MIDDLEWARES}
          shadow="md"
          width={300}
        >
          <Popover.Target>
            <span className={classes.anchor} aria-hidden="true" />
          </Popover.Target>
          <Popover.Dropdown role="dialog" aria-label={`Turn ${flag.is_enabled ? 'off' : 'on'} ${flag.key}`}>
            <SwitchForm {...props} onClose={close} />
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  )
})

/** In a low window the question moves over its row, so that its buttons are in sight. */
const MIDDLEWARES = { flip: true, shift: { crossAxis: true, padding: 8 } }

/** The question before a switch, with its comment. */
function SwitchForm({
  flag,
  environment,
  question,
  onSwitch,
  onClose,
}: FlagSwitchProps & { readonly onClose: () => void }) {
  const { project_id } = useScope()
  const { comment, field, permission } = useComment(environment)
  const changes = [patchOfFlag(flag.key, { is_enabled: !flag.is_enabled })]
  const override = useOverride({
    ...{ environment_id: environment?.id ?? '', changes, failure: null },
    isLater: environment?.require_approval !== false,
  })
  return (
    <Stack gap="sm">
      <Text size="sm" className={classes.question}>
        Turn {flag.is_enabled ? 'off' : 'on'} <b>{flag.key}</b> in {question}
      </Text>
      {environment && (
        <ImpactPanel
          isShort
          project_id={project_id}
          environment_id={environment.id}
          changes={changes}
          names={flag.variant_names}
        />
      )}
      {field}
      {override.field}
      <Group gap="xs" justify="flex-end">
        <Button size="xs" variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Gated permission={bothPermissions(override.permission, permission)}>
          <Button
            size="xs"
            data-autofocus
            onClick={() => {
              onClose()
              onSwitch(flag.key, !flag.is_enabled, { comment, overrideReason: override.overrideReason })
            }}
          >
            {flag.is_enabled ? 'Turn off' : 'Turn on'}
          </Button>
        </Gated>
      </Group>
    </Stack>
  )
}
