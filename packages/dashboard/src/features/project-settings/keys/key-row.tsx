import type { Environment, SdkKey } from '@burgee/contract'
import { Badge, Button, Code, Text, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { type Permission, usePermissions } from '../../../shared/scope/use-permissions.ts'
import { Gated } from '../../../shared/ui/gated.tsx'
import { Row } from '../../../shared/ui/row-list.tsx'
import { Time } from '../../../shared/ui/time.tsx'
import { KEY_KINDS } from './key-kinds.ts'
import { describeParent } from './key-tree.ts'
import { KeyUse } from './key-use.tsx'
import { RotateKeyDialog } from './rotate-key-dialog.tsx'
import { useRevocation } from './use-revocation.tsx'

interface KeyRowProps {
  readonly sdk_key: SdkKey
  readonly environment: Environment
  /** All keys of the project. */
  readonly keys: readonly SdkKey[]
}

export function KeyRow({ sdk_key, environment, keys }: KeyRowProps) {
  const { created_at, kind, name, prefix } = sdk_key
  const origin = describeParent(keys, sdk_key)
  const [isRotating, setRotating] = useState(false)
  const may = usePermissions(undefined, environment.id)
  const rotation = may('createSdkKey')
  const rolePermission = may('revokeSdkKey')
  const permission: Permission =
    rolePermission.isAllowed && keys.length === 1
      ? { isAllowed: false, reason: 'This is the last key of the project. Create another one first.' }
      : rolePermission
  const confirmRevoke = useRevocation({ sdk_key, environment, keys })
  return (
    <Row
      title={name}
      subtitle={
        <>
          <Code>{prefix}</Code> {KEY_KINDS[kind].describeReach(environment.name)}
        </>
      }
      actions={
        <>
          <Gated permission={rotation}>
            <Button
              size="xs"
              variant="subtle"
              onClick={() => setRotating(true)}
              aria-label={`Rotate ${name}`}
            >
              Rotate
            </Button>
          </Gated>
          <Gated permission={permission}>
            <Button
              size="xs"
              variant="subtle"
              color="red"
              onClick={confirmRevoke}
              aria-label={`Revoke ${name}`}
            >
              Revoke
            </Button>
          </Gated>
          {isRotating && (
            <RotateKeyDialog
              sdk_key={sdk_key}
              environment={environment}
              keys={keys}
              onClose={() => setRotating(false)}
            />
          )}
        </>
      }
    >
      <Tooltip label={KEY_KINDS[kind].description}>
        <Badge variant="light" color={COLORS[kind]} radius="sm" tt="none" tabIndex={0}>
          {KEY_KINDS[kind].title}
        </Badge>
      </Tooltip>
      <Text size="xs" c="dimmed" component="div">
        <KeyUse sdk_key={sdk_key} />
        <div>
          Created {origin !== null && `${origin}, `}
          <Time at={created_at} size="xs" />
        </div>
      </Text>
    </Row>
  )
}

/** A key that may do everything has a color of its own. */
const COLORS = { server: 'sea', reader: 'gray', client: 'cyan' } as const
