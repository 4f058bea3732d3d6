import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { MEMBER_CANDIDATES_MAX } from '../limits.ts'
import { Member, MemberCandidate, MemberInput, MemberPatch } from '../schemas/member.ts'
import { Warned } from '../schemas/warning.ts'
import { listQuery } from './list-query.ts'
import { memberParams, projectParams } from './params.ts'

export const memberEndpoints = {
  listMembers: endpoint({
    method: 'GET',
    path: '/api/projects/:project_id/members',
    summary: "A project's members",
    description: 'Workspace admins need no membership, so they may be missing here.',
    tag: 'Member',
    access: 'read_project',
    params: projectParams,
    query: Type.Object(listQuery),
    responses: { 200: Type.Array(Member) },
    sends: ['X-Next-Cursor'],
    listedBy: 'user_id',
  }),
  listMemberCandidates: endpoint({
    method: 'GET',
    path: '/api/projects/:project_id/members/candidates',
    summary: `Up to ${MEMBER_CANDIDATES_MAX} users who are not members yet`,
    description:
      '`q` is a part of their name or e-mail, ignoring case. `environment_roles` of a user are roles in single environments that an earlier membership has left behind.',
    tag: 'Member',
    access: 'write_members',
    params: projectParams,
    query: Type.Object({
      q: Type.Optional(Type.String({ description: 'A part of the name or e-mail; all users without it' })),
      ...listQuery,
    }),
    responses: { 200: Type.Array(MemberCandidate) },
    sends: ['X-Next-Cursor'],
    listedBy: 'user_id',
  }),
  addMember: endpoint({
    method: 'POST',
    path: '/api/projects/:project_id/members',
    summary: 'Make a user a member of the project',
    description:
      'From then on the role here decides what the user may do in this project. Roles in single environments that an earlier membership has left behind apply again, and the response has them. No one can give more than they may do themselves (403), such roles included.',
    tag: 'Member',
    access: 'write_members',
    needsRecentLogin: true,
    params: projectParams,
    body: MemberInput,
    responses: { 200: Member },
    errors: [409],
    refusals: {
      409: 'The user already is a member',
      422: 'The input is invalid, or there is no such user',
    },
  }),
  getMember: endpoint({
    method: 'GET',
    path: '/api/projects/:project_id/members/:user_id',
    summary: 'One member',
    description: 'The same fields as in the list.',
    tag: 'Member',
    access: 'read_project',
    addresses: 'member',
    params: memberParams,
    responses: { 200: Member },
    refusals: {
      404: 'There is no such project, or the user is no member of it',
    },
  }),
  updateMember: endpoint({
    method: 'PATCH',
    path: '/api/projects/:project_id/members/:user_id',
    summary: "Change a member's role",
    description:
      'In the project, in single environments, or both at once. It applies from the next request on. No one can give or take more than they may do themselves (403).',
    tag: 'Member',
    access: 'write_members',
    needsRecentLogin: true,
    addresses: 'member',
    params: memberParams,
    body: MemberPatch,
    ignores: ['name', 'email'],
    responses: { 200: Warned(Member) },
    refusals: {
      404: 'There is no such project, or the user is not a member of it',
    },
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/projects/:project_id/members/:user_id',
    summary: "End a user's access to the project; the account stays",
    description: 'Open streams of the user lose this project at once.',
    tag: 'Member',
    access: 'write_members',
    needsRecentLogin: true,
    addresses: 'member',
    params: memberParams,
    responses: { 204: null },
    refusals: {
      404: 'There is no such project, or the user is not a member of it',
    },
  }),
} as const
