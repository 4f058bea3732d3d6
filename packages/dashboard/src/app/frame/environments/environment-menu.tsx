import { Badge, Button, Menu, Text } from '@mantine/core'
import { IconArrowsSort, IconChevronDown } from '@tabler/icons-react'
import { Fragment, lazy, Suspense, useState } from 'react'
import { usePreferences } from '../../../shared/preferences/use-preferences.ts'
import { isProduction } from '../../../shared/scope/is-production.ts'
import { EnvironmentDot } from '../../../shared/ui/environment-dot.tsx'
import { MenuItemLink } from '../../../shared/ui/links.tsx'
import classes from '../scope-switcher.module.css'
import { useEnvironmentPage } from '../use-environment-page.ts'
import { useWorkplace } from '../use-workplace.ts'
import { groupEnvironments, orderEnvironments } from './group-environments.ts'

const OrderDialog = lazy(async () => ({ default: (await import('./order-dialog.tsx')).OrderDialog }))

/** With more environments the menu has a search. */
const SEARCH_FROM = 8
/** With fewer environments an order is not worth a line. */
const ORDERED_FROM = 4

/** The environments to switch to: with a search and in groups where there are many, in one's own order. */
export function EnvironmentMenu() {
  const { environment, environments, project_id, isOnEnvironment } = useWorkplace()
  const page = useEnvironmentPage()
  const isLoud = isOnEnvironment && isProduction(environment)
  const [query, setQuery] = useState('')
  const wanted = query.trim().toLowerCase()
  const { preferences, change } = usePreferences(project_id)
  const [isOrdering, setOrdering] = useState(false)
  const fitting = environments.filter(({ name, slug }) => `${name} ${slug}`.toLowerCase().includes(wanted))
  const groups = groupEnvironments(fitting, preferences.environment_order)
  return (
    <>
      <Menu position="bottom-start" width={240}>
        <Menu.Target>
          <Button
            variant={isLoud ? 'light' : 'subtle'}
            color={isLoud ? 'red' : 'gray'}
            className={classes.target}
            data-environment
            leftSection={environment && <EnvironmentDot color={environment.color} />}
            rightSection={<IconChevronDown size={14} className={classes.chevron} />}
            aria-label={`Environment: ${environment?.name ?? 'choose one'}`}
          >
            <Text span truncate className={classes.environment}>
              {environment?.name ?? 'Environment'}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes.dropdown}>
          {environments.length > SEARCH_FROM && (
            <Menu.Search
              placeholder="Find an environment"
              aria-label="Find an environment"
              value={query}
              onChange={(event) => setQuery(event.currentTarget.value)}
            />
          )}
          {fitting.length === 0 && <Menu.Label>No results for {query}</Menu.Label>}
          {groups.map((group) => (
            <Fragment key={group.name}>
              <Menu.Label>
                {group.name || (groups.length > 1 ? 'Other environments' : 'Environments')}
              </Menu.Label>
              {group.environments.map(({ id, name, color, is_default }) => (
                <MenuItemLink
                  key={id}
                  to={`/projects/$project_id/environments/$environment_id/${page}`}
                  params={{ project_id, environment_id: id }}
                  leftSection={<EnvironmentDot color={color} />}
                  rightSection={
                    is_default && (
                      <Badge size="xs" variant="default" tt="none">
                        Default
                      </Badge>
                    )
                  }
                >
                  {name}
                </MenuItemLink>
              ))}
            </Fragment>
          ))}
          {environments.length >= ORDERED_FROM && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconArrowsSort size={14} />} onClick={() => setOrdering(true)}>
                Change the order…
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isOrdering && (
        <Suspense fallback={null}>
          <OrderDialog
            environments={orderEnvironments(environments, preferences.environment_order)}
            isOwn={preferences.environment_order.length > 0}
            onClose={() => setOrdering(false)}
            onStore={(environment_order) => void change({ environment_order })}
          />
        </Suspense>
      )}
    </>
  )
}
