import { cutLine, type Environment, type Flag } from '@burgee/contract'
import { Badge, Checkbox } from '@mantine/core'
import { memo } from 'react'
import type { KnownFlag } from '../../../parts/flag-writes/flag-write.ts'
import { Sparkline } from '../../../shared/charts/sparkline.tsx'
import type { Permission } from '../../../shared/scope/use-permissions.ts'
import { formatRelative } from '../../../shared/ui/format-time.ts'
import { AnchorLink } from '../../../shared/ui/links.tsx'
import type { Activity } from './activity-by-flag.ts'
import { describeServing } from './describe-serving.ts'
import { FavoriteStar } from './favorite-star.tsx'
import cells from './flag-cells.module.css'
import { FlagSwitch } from './flag-switch.tsx'
import classes from './flag-table.module.css'
import { GridPart } from './grid-part.tsx'

/** More than a line of the list can show, and little enough to be laid out at once. */
const TEXT_MAX = 300
/** Tags that fit into the two lines of their column; the others are counted. */
const TAG_CHARACTERS_MAX = 28
const TAG_PADDING_CHARACTERS = 3

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

interface FlagRowProps {
  readonly flag: Flag
  readonly index: number
  /** Below the first row, in pixels. */
  readonly top: number
  /** On a phone. */
  readonly isCard: boolean
  /** Its controls are the ones that Tab reaches. */
  readonly isCurrent: boolean
  readonly isSelected: boolean
  readonly isFavorite: boolean
  readonly onFavorite: (key: string, isFavorite: boolean) => void
  readonly activity: Activity | undefined
  /** True if impressions are known at all by now. */
  readonly hasActivity: boolean
  readonly project_id: string
  readonly environment_id: string
  readonly question: string | null
  /** The environment in which a switch happens. */
  readonly environment: Environment | undefined
  readonly maySwitch: Permission
  readonly onSwitch: (key: string, is_enabled: boolean) => void
  readonly onSelect: (key: string, isSelected: boolean, isRange: boolean) => void
  readonly onFocus: (key: string) => void
}

/** One flag. Drawn again only when something of its own changes. */
export const FlagRow = memo(function FlagRow(props: FlagRowProps) {
  const { flag, index, isCurrent, isSelected, onFocus, onSelect, top } = props
  const serving = describeServing(flag)
  const tabIndex = isCurrent ? 0 : -1
  return (
    <GridPart
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-index={index}
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
      onFocus={() => onFocus(flag.key)}
    >
      <GridPart role="gridcell" data-cell="select" className={classes.select}>
        <Checkbox
          size="xs"
          checked={isSelected}
          // A click knows of the Shift key, a change does not.
          onClick={(event) => onSelect(flag.key, !isSelected, event.shiftKey)}
          onChange={() => {}}
          tabIndex={tabIndex}
          aria-label={`Select ${flag.key}`}
        />
      </GridPart>
      <GridPart role="gridcell" data-cell="switch" className={classes.switch}>
        <FlagSwitch
          flag={flag}
          tabIndex={tabIndex}
          question={props.question}
          environment={props.environment}
          permission={props.maySwitch}
          onSwitch={props.onSwitch}
        />
      </GridPart>
      <NameCell {...props} serving={serving} tabIndex={tabIndex} />
      <GridPart role="gridcell" className={classes.type}>
        {flag.flag_type}
      </GridPart>
      <GridPart
        role="gridcell"
        className={classes.serving}
        data-off={!flag.is_enabled || undefined}
        title={serving}
      >
        <span className={cells.lines}>{serving}</span>
      </GridPart>
      <GridPart role="gridcell" className={classes.tags}>
        <Tags tags={flag.tags} />
      </GridPart>
      <GridPart role="gridcell" className={classes.owner} title={flag.owner_email ?? undefined}>
        {flag.owner_email === null ? <Nothing label="no owner" /> : <Address of={flag.owner_email} />}
      </GridPart>
      <GridPart role="gridcell" className={classes.impressions}>
        {props.hasActivity && <Impressions activity={props.activity} />}
      </GridPart>
      <ChangedCell flag={flag} />
    </GridPart>
  )
})

interface NameCellProps extends FlagRowProps {
  readonly serving: string
  readonly tabIndex: number
}

function NameCell(props: NameCellProps) {
  const { flag, serving, project_id, environment_id, tabIndex } = props
  const description = cutLine(flag.description ?? '', TEXT_MAX)
  return (
    <GridPart role="gridcell" data-cell="name" className={classes.key}>
      <div className={classes.title}>
        <AnchorLink
          to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
          params={{ project_id, environment_id, flag_key: flag.key }}
          preload={false}
          className={classes.link}
          tabIndex={tabIndex}
          title={flag.key}
        >
          {flag.key}
        </AnchorLink>
        {flag.archived_at !== null && (
          <Badge size="sm" tt="none" fw={500} variant="default" className={classes.badge}>
            Archived
          </Badge>
        )}
        <FavoriteStar
          flag_key={flag.key}
          isFavorite={props.isFavorite}
          tabIndex={tabIndex}
          onFavorite={props.onFavorite}
        />
      </div>
      <div className={classes.description} dir="auto" title={description}>
        {description}
      </div>
      <div className={classes.summary}>{serving}</div>
      {props.isCard && <LastChange flag={flag} />}
    </GridPart>
  )
}

function Tags({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return <Nothing label="no tags" />
  const shown = countFitting(tags)
  return (
    <span className={cells.pills} title={cutLine(tags.join(', '), TEXT_MAX)}>
      {tags.slice(0, shown).map((tag) => (
        <span key={tag} className={cells.pill}>
          {cutLine(tag, TEXT_MAX)}
        </span>
      ))}
      {tags.length > shown && <span className={cells.more}>+{tags.length - shown}</span>}
    </span>
  )
}

/** Returns the number of tags to show: at least one. */
function countFitting(tags: readonly string[]): number {
  let left = TAG_CHARACTERS_MAX
  const excess = tags.findIndex((tag) => {
    left -= tag.length + TAG_PADDING_CHARACTERS
    return left < 0
  })
  return excess < 0 ? tags.length : Math.max(1, excess)
}

/** An email address on up to two lines, which is broken before its domain. */
function Address({ of: address }: { readonly of: string }) {
  const at = address.lastIndexOf('@')
  return (
    <span className={cells.lines}>
      {at > 0 ? (
        <>
          {address.slice(0, at)}
          <wbr />
          {address.slice(at)}
        </>
      ) : (
        address
      )}
    </span>
  )
}

function Impressions({ activity }: { readonly activity: Activity | undefined }) {
  if (!activity || activity.total === 0) return <Nothing label="no impressions" />
  const label = `${activity.total.toLocaleString('en')} impressions in ${activity.counts.length} days`
  return (
    <span className={cells.activity} title={label}>
      <Sparkline counts={activity.counts} label={label} width={64} height={22} />
      <span aria-hidden="true">{compact.format(activity.total)}</span>
    </span>
  )
}

function ChangedCell({ flag: { revision, updated_at, updated_by } }: { readonly flag: KnownFlag }) {
  return (
    <GridPart role="gridcell" className={classes.changed} title={updated_by ? `by ${updated_by}` : undefined}>
      {updated_at && <div className={classes.when}>{formatRelative(updated_at, Date.now())}</div>}
      <div className={classes.revision}>{updated_by ? <Address of={updated_by} /> : `#${revision}`}</div>
    </GridPart>
  )
}

/** The same in one line, for cards. */
function LastChange({ flag: { updated_at, updated_by } }: { readonly flag: KnownFlag }) {
  return (
    <div className={classes.summary}>
      {updated_at && formatRelative(updated_at, Date.now())}
      {updated_by && ` by ${updated_by}`}
    </div>
  )
}

function Nothing({ label }: { readonly label: string }) {
  return (
    <span className={cells.nothing}>
      <span aria-hidden="true">–</span>
      <span className={cells.unseen}>{label}</span>
    </span>
  )
}
