import { messages } from '@cadmus/model/messages'
import { organisationAuditTexts } from '@cadmus/model/messages/audit'
import { type ApiError, forbidden, notFound, staleSave } from '../../errors/api-error.ts'
import type { Tx } from '../../store/database.ts'
import {
  changeMembership,
  deleteMembership,
  insertMembership,
  storedMember,
  type MemberRow,
} from '../../store/membership.ts'
import { organisationById } from '../../store/organisation.ts'
import { storable } from '../../store/statements.ts'
import { userById } from '../../store/user.ts'
import { organisationEntry } from '../audit.ts'
import { type Change, WriteConflict, transact } from '../change.ts'
import { markOf, memberAuthor } from './organisation.ts'

/** The tag of a member: the tag of the membership, and a mark of the user's data. */
export function memberTag(member: MemberRow): string {
  return `${membershipTag(member.subscription)}.${userMark(member)}`
}

/** Whether a tag states the member's current user data; other tags are from earlier data, or without any. */
export function hasUserData(tag: string, member: MemberRow): boolean {
  return tag.split('.')[1] === userMark(member)
}

function userMark({ username, fullname, email, source, inEffect }: MemberRow): string {
  return markOf([username, fullname, email, source, inEffect])
}

function membershipTag(subscription: number | null): string {
  return subscription === null ? 'none' : String(subscription)
}

type MembershipTarget = { userId: string; ifMatch: string }

/** Adds a member or changes the subscription. Not for users whose organisations the identity provider sets. */
export async function setMembership(
  change: Change,
  target: MembershipTarget & { subscription: number },
): Promise<void> {
  const { organisationId } = change
  const { subscription } = target
  await transact(change, 2, async (tx, work) => {
    const { organisation, user, before } = await requireMember(tx, organisationId, target.userId)
    if (user.permissions !== null) throw forbidden(messages.administration.providersMember, 'locked')
    if (before === subscription) return
    await requireBase(tx, organisationId, { ...target, before })
    if (before === null) {
      await insertMembership(tx, { user_id: user.id, organisation_id: organisationId, subscription })
    } else if (!(await changeMembership(tx, { organisationId, userId: user.id, before }, subscription))) {
      throw new WriteConflict()
    }
    const { memberAdded, subscribed } = organisationAuditTexts
    const description =
      before === null
        ? memberAdded(user.fullname, organisation.code, subscription)
        : subscribed(user.fullname, organisation.code, before, subscription)
    const memberships =
      before === null ? { put: [], drop: [user.id] } : { put: [{ user_id: user.id, subscription: before }], drop: [] }
    work.audit(organisationEntry(organisation, { action: 'UPDATE', description, restoration: { memberships } }))
  })
}

/** Removes a stored membership, also one without effect. */
export async function removeMembership(change: Change, target: MembershipTarget): Promise<void> {
  const { organisationId } = change
  await transact(change, 2, async (tx, work) => {
    const { organisation, user, before } = await requireMember(tx, organisationId, target.userId)
    if (before === null) throw notFound('The membership')
    await requireBase(tx, organisationId, { ...target, before })
    if (!(await deleteMembership(tx, { organisationId, userId: user.id, before }))) throw new WriteConflict()
    const description = organisationAuditTexts.memberRemoved(user.fullname, organisation.code)
    const memberships = { put: [{ user_id: user.id, subscription: before }], drop: [] }
    work.audit(organisationEntry(organisation, { action: 'UPDATE', description, restoration: { memberships } }))
  })
}

async function requireMember(tx: Tx, organisationId: number, userId: string) {
  const organisation = await organisationById(tx, organisationId)
  if (!organisation) throw notFound('The organisation')
  const user = await userById(tx, storable(userId))
  if (!user) throw notFound('The user')
  const before = (await storedMember(tx, organisationId, user.id))?.subscription ?? null
  return { organisation, user, before }
}

/** Refuses a change based on an outdated membership. */
async function requireBase(
  tx: Tx,
  organisationId: number,
  { userId, ifMatch, before, subscription }: MembershipTarget & { before: number | null; subscription?: number },
): Promise<void> {
  if (ifMatch === '*' || ifMatch.split('.')[0] === membershipTag(before)) return
  throw await stale(tx, organisationId, { userId, before, mine: subscription ?? null, ifMatch })
}

async function stale(
  tx: Tx,
  organisationId: number,
  { userId, before, mine, ifMatch }: MembershipTarget & { before: number | null; mine: number | null },
): Promise<ApiError> {
  const [subscription = ''] = ifMatch.split('.')
  const base = /^\d{1,15}$/.test(subscription) ? Number(subscription) : null
  const by = await memberAuthor(tx, organisationId, userId)
  return staleSave(messages.administration.membershipChanged(before), membershipTag(before), [
    { path: '', field: 'subscription', base, mine, theirs: before, ...by },
  ])
}
