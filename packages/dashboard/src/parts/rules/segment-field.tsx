import type { Segment } from '@burgee/contract'
import { Select } from '@mantine/core'
import { useScope } from '../../shared/scope/use-scope.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { BELOW } from './below-field.ts'
import classes from './rules.module.css'

interface SegmentFieldProps {
  readonly segment_key: string
  readonly segments: readonly Segment[]
  readonly onChange: (segment_key: string) => void
  readonly error: string | undefined
  readonly isReadOnly: boolean
}

const SEGMENTS_SHOWN = 50

/** Which segment's rules take the rule's place. */
export function SegmentField({ segment_key, segments, onChange, error, isReadOnly }: SegmentFieldProps) {
  const { project_id, environment_id } = useScope()
  const known = segments.map(({ key, name }) => ({
    value: key,
    label: name === key ? key : `${name} (${key})`,
  }))
  const isKnown = segment_key === '' || segments.some(({ key }) => key === segment_key)
  return (
    <div className={classes.segment}>
      <Select
        label="Segment"
        placeholder={segments.length === 0 ? 'There are no segments yet' : 'Choose a segment'}
        data={isKnown ? known : [{ value: segment_key, label: `${segment_key} (missing)` }, ...known]}
        value={segment_key === '' ? null : segment_key}
        onChange={(key) => key !== null && onChange(key)}
        allowDeselect={false}
        searchable
        limit={SEGMENTS_SHOWN}
        {...BELOW}
        error={error}
        readOnly={isReadOnly}
      />
      {segment_key !== '' && isKnown && (
        <AnchorLink
          size="sm"
          to="/projects/$project_id/environments/$environment_id/segments/$segment_key"
          params={{ project_id, environment_id, segment_key }}
        >
          See who is in it
        </AnchorLink>
      )}
    </div>
  )
}
