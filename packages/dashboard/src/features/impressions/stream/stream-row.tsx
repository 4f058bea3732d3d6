import type { Impression } from '@burgee/contract'
import { Button, Code, Group, Text } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { ReportedValue } from '../../../shared/charts/reported-value.tsx'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { formatInstant } from '../../../shared/ui/format-time.ts'
import { ButtonLink } from '../../../shared/ui/links.tsx'
import type { StreamFilter } from './read-log.ts'
import classes from './stream-rows.module.css'

/** A longer value fits into no address. */
const FILTER_MAX = 1_000

const time = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

interface StreamRowProps {
  readonly impression: Impression
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly filter: StreamFilter
  readonly onFilter: (changes: Partial<StreamFilter>) => void
}

/** One evaluation; opened, everything that was reported with it. */
export function StreamRow({ impression, isOpen, onToggle, filter, onFilter }: StreamRowProps) {
  const { id, flag_key, user_id, value, evaluated_at } = impression
  return (
    <>
      <div className={classes.row} data-open={isOpen || undefined}>
        <span className={classes.time} title={formatInstant(evaluated_at)}>
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={isOpen}
            aria-label={`Details of impression ${id}`}
            onClick={onToggle}
          >
            <IconChevronRight size={14} className={classes.chevron} />
          </button>
          <time dateTime={evaluated_at}>{time.format(Date.parse(evaluated_at))}</time>
        </span>
        <span className={classes.text}>{flag_key}</span>
        <span className={classes.text} data-anonymous={user_id === null || undefined}>
          <bdi>{user_id ?? 'anonymous'}</bdi>
        </span>
        <span className={classes.value}>
          <ReportedValue value={value} />
        </span>
      </div>
      {isOpen && (
        <div className={classes.details}>
          <ImpressionDetails impression={impression} filter={filter} onFilter={onFilter} />
        </div>
      )}
    </>
  )
}

function ImpressionDetails({
  impression: { id, flag_key, user_id, value, context },
  filter,
  onFilter,
}: Pick<StreamRowProps, 'impression' | 'filter' | 'onFilter'>) {
  const { project_id, environment_id } = useScope()
  const choices = [
    { name: 'Only this flag', changes: { flag_key }, isOn: filter.flag_key === flag_key },
    {
      name: 'Only this user',
      changes: { user_id: user_id ?? '' },
      isOn: (user_id ?? '') === filter.user_id,
    },
    {
      name: 'Only this value',
      changes: { value },
      isOn: filter.value === value || value.length > FILTER_MAX,
    },
  ]
  return (
    <>
      <Text size="xs" c="dimmed">
        Value
      </Text>
      <Code
        block
        className={classes.code}
        tabIndex={0}
        role="region"
        aria-label={`Value of impression ${id}`}
      >
        <bdi>{value === '' ? ' ' : value}</bdi>
      </Code>
      <Text size="xs" c="dimmed" mt="xs">
        Context
      </Text>
      {context === null ? (
        <Text size="sm">None was reported. SDKs send it with sendEvaluationContext only.</Text>
      ) : (
        <Code
          block
          className={classes.code}
          tabIndex={0}
          role="region"
          aria-label={`Context of impression ${id}`}
        >
          {JSON.stringify(context, null, 2)}
        </Code>
      )}
      <Group gap="xs" mt="sm">
        {choices.map(({ name, changes, isOn }) => (
          <Button
            key={name}
            size="compact-xs"
            variant="default"
            disabled={isOn}
            onClick={() => onFilter(changes)}
          >
            {name}
          </Button>
        ))}
        <ButtonLink
          size="compact-xs"
          variant="default"
          to="/projects/$project_id/environments/$environment_id/exposure"
          params={{ project_id, environment_id }}
          search={{ flag_key }}
        >
          Exposure of the flag
        </ButtonLink>
      </Group>
    </>
  )
}
