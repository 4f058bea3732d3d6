import type { Member } from '@burgee/contract'
import { useNavigate } from '@tanstack/react-router'
import { roleName, useRoles } from '../../../parts/roles/use-roles.ts'
import { call } from '../../../shared/api/call.ts'
import { confirm } from '../../../shared/forms/confirm.tsx'
import { useMe } from '../../../shared/scope/use-me.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { notifyFailure, notifySuccess } from '../../../shared/ui/notify.tsx'

/** The actions on a member. Taking one's own rights away needs a confirmation, since there is no way back. */
export function useMemberActions(member: Member, isMe: boolean) {
  const { project_id } = useScope()
  const navigate = useNavigate()
  const losesAccess = useMe()?.role !== 'admin' && isMe
  const { name, role, user_id } = member
  const roles = useRoles()
  const params = { project_id, user_id }
  const setRole = async (next: string) => {
    await call('updateMember', { params, body: { role: next } })
  }
  const trySetRole = async (next: string, onUndo?: () => void) => {
    try {
      await setRole(next)
    } catch (error) {
      notifyFailure('The role was not changed', error)
      return
    }
    notifySuccess({ message: `The role is ${roleName(roles, next)} now.`, ...(onUndo && { onUndo }) })
  }
  const changeRole = (next: string) => {
    if (next === role) return
    if (!losesAccess) {
      void trySetRole(next, () => void trySetRole(role))
      return
    }
    confirm({
      title: 'Give up your own role?',
      children: `Your role in this project becomes ${roleName(roles, next)}. Only another admin can take that back.`,
      confirmLabel: 'Change my role',
      onConfirm: () => setRole(next),
    })
  }
  const confirmRemove = () =>
    confirm({
      title: isMe ? 'Leave this project?' : 'Remove this member?',
      children: (
        <>
          <b>{name}</b> {isMe ? '(you) loses' : 'loses'} access to the project at once. The account stays, and
          can be added again.
        </>
      ),
      confirmLabel: isMe ? 'Leave project' : 'Remove member',
      onConfirm: async () => {
        // A person who has left may no longer read anything here.
        const leave = () => (losesAccess ? navigate({ to: '/projects' }) : undefined)
        await call('removeMember', { params }, { settle: leave })
        notifySuccess({ message: losesAccess ? 'You have left the project.' : 'The member is removed.' })
      },
    })
  return { confirmRemove, changeRole, losesAccess }
}
