import { PERMISSION_WORDS, type Permission } from '@burgee/contract'
import { Text } from '@mantine/core'
import { IconCheck, IconMinus } from '@tabler/icons-react'
import { PERMISSION_GROUPS } from './permission-groups.ts'
import classes from './permissions.module.css'

interface PermissionListProps {
  readonly permissions: readonly Permission[]
  /** The name of the list, for screen readers. */
  readonly label: string
}

/** Lists what a role permits and what it does not, in groups. */
export const PermissionList = ({ permissions, label }: PermissionListProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset holds fields
  <div className={classes.groups} role="group" aria-label={label}>
    {PERMISSION_GROUPS.map((group) => (
      <div key={group.title}>
        <Text size="xs" fw={600} mb={4}>
          {group.title}
        </Text>
        <ul className={classes.list}>
          {group.permissions.map((name) => (
            <Line key={name} name={name} isIncluded={permissions.includes(name)} />
          ))}
        </ul>
      </div>
    ))}
  </div>
)

const Line = ({ name, isIncluded }: { readonly name: Permission; readonly isIncluded: boolean }) => (
  <li className={classes.line} data-included={isIncluded || undefined}>
    {isIncluded ? (
      <IconCheck size={14} className={classes.mark} aria-label="Permitted:" role="img" />
    ) : (
      <IconMinus size={14} className={classes.mark} aria-label="Not permitted:" role="img" />
    )}
    <span>{PERMISSION_WORDS[name]}</span>
  </li>
)
