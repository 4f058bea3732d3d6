import { PERMISSION_WORDS, PERMISSIONS, type Permission } from '@burgee/contract'
import { Checkbox, Input, Stack } from '@mantine/core'
import { PERMISSION_GROUPS } from './permission-groups.ts'
import classes from './permissions.module.css'

interface PermissionCheckboxesProps {
  readonly permissions: readonly Permission[]
  readonly onChange: (permissions: readonly Permission[]) => void
}

/** The choice of what a role permits, in groups. */
export function PermissionCheckboxes({ permissions, onChange }: PermissionCheckboxesProps) {
  const toggle = (toggled: Permission) =>
    onChange(PERMISSIONS.filter((name) => permissions.includes(name) !== (name === toggled)))
  return (
    <div className={classes.groups}>
      {PERMISSION_GROUPS.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: its look is that of the other fields
        <div key={group.title} role="group" aria-label={group.title}>
          <Input.Label component="div">{group.title}</Input.Label>
          <Stack gap={8} mt={6}>
            {group.permissions.map((name) => (
              <Checkbox
                key={name}
                size="xs"
                label={PERMISSION_WORDS[name]}
                checked={permissions.includes(name)}
                onChange={() => toggle(name)}
              />
            ))}
          </Stack>
        </div>
      ))}
    </div>
  )
}
