import { IconChecklist } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'
import classes from './frame.module.css'

const EVERY_MS = 30_000
/** More requests are shown as "9+". */
const COUNTED_MAX = 9

/** The way to the change requests of all projects, with the number of those that wait for the reader. */
export function WaitingLink() {
  const { data = [] } = useQuery({
    ...endpointQuery('listAllChangeRequests', { query: { waiting_for_me: true, limit: COUNTED_MAX + 1 } }),
    refetchInterval: EVERY_MS,
  })
  const count = data.length > COUNTED_MAX ? `${COUNTED_MAX}+` : String(data.length)
  const label =
    data.length === 0 ? 'Change requests of all projects' : `${count} change requests wait for you`
  return (
    <AnchorLink
      to="/change-requests"
      className={classes.waiting}
      data-none={data.length === 0 || undefined}
      aria-label={label}
      title={label}
    >
      <IconChecklist size={18} stroke={1.6} />
      {data.length > 0 && <span className={classes.count}>{count}</span>}
    </AnchorLink>
  )
}
