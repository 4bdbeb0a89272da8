import { foldName } from '@cadmus/model/paths'
import { inBatches } from './statements.ts'
import type { Db } from './database.ts'
import { contains, type Page, rowsBefore } from './page.ts'

/** Returns the organisations of a user from the local memberships, with the subscription in each. */
export async function membershipsOf(
  db: Db,
  userId: string,
): Promise<{ organisationId: number; code: string; name: string; subscription: number }[]> {
  return db
    .selectFrom('membership')
    .innerJoin('organisation', 'organisation.id', 'membership.organisation_id')
    .where('membership.user_id', '=', userId)
    .select(['organisation.id as organisationId', 'organisation.code', 'organisation.name', 'membership.subscription'])
    .orderBy('organisation.code_folded')
    .execute()
}

/** Stores the provider's memberships of a user; the organisations must exist. */
export async function setProviderMemberships(
  db: Db,
  userId: string,
  memberships: ReadonlyMap<number, number>,
): Promise<void> {
  const existing = await db
    .selectFrom('provider_membership')
    .select(['organisation_id', 'subscription'])
    .where('user_id', '=', userId)
    .execute()
  const before = new Map(existing.map(row => [row.organisation_id, row.subscription]))
  const removed = [...before.keys()].filter(id => !memberships.has(id))
  const rows = [...memberships]
    .filter(([id, subscription]) => before.get(id) !== subscription)
    .map(([organisation_id, subscription]) => ({ organisation_id, user_id: userId, subscription }))
  for (const ids of inBatches(removed, 200))
    await db
      .deleteFrom('provider_membership')
      .where('user_id', '=', userId)
      .where('organisation_id', 'in', ids)
      .execute()
  for (const part of inBatches(rows, 200))
    await db
      .insertInto('provider_membership')
      .values(part)
      .onConflict(conflict =>
        conflict
          .columns(['organisation_id', 'user_id'])
          .doUpdateSet(set => ({ subscription: set.ref('excluded.subscription') })),
      )
      .execute()
}

export type MemberRow = {
  userId: string
  username: string
  fullname: string
  email: string
  subscription: number
  source: 'provider' | 'console'
  inEffect: boolean
}

/**
 * Lists the members of an organisation by name, both from the provider and local ones; the latter may be without
 * effect.
 */
export async function listMembers(
  db: Db,
  organisationId: number,
  query: Page & { search: string },
): Promise<{ rows: MemberRow[]; total: number }> {
  const parts = [membersOf(db, 'provider_membership', organisationId), membersOf(db, 'membership', organisationId)]
  const search = foldName(query.search)
  const [providers, stored] = parts.map(part =>
    search === '' ? part : part.where(contains('user_account.search_folded', search)),
  )
  if (!providers || !stored) return { rows: [], total: 0 }
  let total = 0
  for (const part of [providers, stored]) {
    const counted = await part.select(count => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    total += Number(counted.total)
  }
  const rows = await shown(providers, 1)
    .unionAll(shown(stored, 0))
    .orderBy('name_folded')
    .orderBy('userId')
    .orderBy('fromProvider', 'desc')
    .limit(query.limit)
    .offset(rowsBefore(query))
    .execute()
  return { rows: rows.map(memberOf), total }
}

/** Returns a local membership with its user. */
export async function storedMember(db: Db, organisationId: number, userId: string): Promise<MemberRow | undefined> {
  const part = membersOf(db, 'membership', organisationId).where('member.user_id', '=', userId)
  const row = await shown(part, 0).executeTakeFirst()
  return row && memberOf(row)
}

function membersOf(db: Db, table: 'membership' | 'provider_membership', organisationId: number) {
  const from =
    table === 'membership' ? db.selectFrom('membership as member') : db.selectFrom('provider_membership as member')
  return from
    .innerJoin('user_account', 'user_account.id', 'member.user_id')
    .where('member.organisation_id', '=', organisationId)
}

/** `fromProvider`: 1 = by the provider. */
function shown(part: ReturnType<typeof membersOf>, fromProvider: 0 | 1) {
  return part.select(select => [
    'member.user_id as userId',
    'user_account.username',
    'user_account.fullname',
    'user_account.email',
    'user_account.name_folded',
    select.case().when('user_account.permissions', 'is', null).then(0).else(1).end().as('ruled'),
    'member.subscription',
    select.val<number | string>(fromProvider).as('fromProvider'),
  ])
}

type Shown = Omit<MemberRow, 'source' | 'inEffect'> & { ruled: number | string; fromProvider: number | string }

function memberOf({ userId, username, fullname, email, subscription, ruled, fromProvider }: Shown): MemberRow {
  const isFromProvider = Number(fromProvider) === 1
  const source = isFromProvider ? 'provider' : 'console'
  return { userId, username, fullname, email, subscription, source, inEffect: isFromProvider || Number(ruled) === 0 }
}

/** Counts members, members with a subscription, and whether the provider sent any. */
export async function countMembers(
  db: Db,
  organisationId: number,
): Promise<{ members: number; subscriptions: number; byProvider: boolean }> {
  const counts: { total: number; open: number }[] = []
  for (const table of ['provider_membership', 'membership'] as const) {
    let matching = membersOf(db, table, organisationId)
    if (table === 'membership') matching = matching.where('user_account.permissions', 'is', null)
    const all = matching.select(count => count.fn.countAll<number>().as('total'))
    const { total } = await all.executeTakeFirstOrThrow()
    const { total: open } = await all.where('member.subscription', '>', 0).executeTakeFirstOrThrow()
    counts.push({ total: Number(total), open: Number(open) })
  }
  const sum = (count: (one: { total: number; open: number }) => number) =>
    counts.reduce((all, one) => all + count(one), 0)
  return {
    members: sum(({ total }) => total),
    subscriptions: sum(({ open }) => open),
    byProvider: (counts[0]?.total ?? 0) > 0,
  }
}

export async function insertMembership(
  db: Db,
  row: { user_id: string; organisation_id: number; subscription: number },
): Promise<void> {
  await db.insertInto('membership').values(row).execute()
}

/** Returns false on a write conflict. */
export async function changeMembership(
  db: Db,
  { organisationId, userId, before }: { organisationId: number; userId: string; before: number },
  subscription: number,
): Promise<boolean> {
  const changed = await db
    .updateTable('membership')
    .set({ subscription })
    .where('organisation_id', '=', organisationId)
    .where('user_id', '=', userId)
    .where('subscription', '=', before)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

/** Returns false on a write conflict. */
export async function deleteMembership(
  db: Db,
  { organisationId, userId, before }: { organisationId: number; userId: string; before: number },
): Promise<boolean> {
  const removed = await db
    .deleteFrom('membership')
    .where('organisation_id', '=', organisationId)
    .where('user_id', '=', userId)
    .where('subscription', '=', before)
    .executeTakeFirst()
  return removed.numDeletedRows === 1n
}
