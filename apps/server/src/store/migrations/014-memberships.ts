import { foldName } from '@cadmus/model/paths'
import { type Kysely, sql } from 'kysely'
import { storable } from '../statements.ts'

/**
 * Folded names for listing and searching organisations and users, and the provider's memberships by organisation, for
 * the list of members.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `alter table organisation add column name_folded text not null default ''`,
    `alter table user_account add column name_folded text not null default ''`,
    `alter table user_account add column search_folded text not null default ''`,
    `create table provider_membership (organisation_id bigint not null, user_id text not null, subscription bigint not null,
      primary key (organisation_id, user_id))`,
    `create index provider_membership_user on provider_membership (user_id)`,
    `create index membership_organisation on membership (organisation_id, user_id)`,
    `create index organisation_name on organisation (name_folded, id)`,
    `create index user_name on user_account (name_folded, id)`,
  ])
    await sql.raw(statement).execute(db)
  await foldNames(db)
  await keepPermissions(db)
}

async function foldNames(db: Kysely<unknown>): Promise<void> {
  const { rows: organisations } = await sql<{ id: number; name: string }>`select id, name from organisation`.execute(db)
  for (const { id, name } of organisations)
    await sql`update organisation set name_folded = ${folded(name)} where id = ${id}`.execute(db)
  type User = Record<'id' | 'fullname' | 'username' | 'email', string>
  const { rows: users } = await sql<User>`select id, fullname, username, email from user_account`.execute(db)
  for (const { id, fullname, username, email } of users) {
    const search = storable(foldName([fullname, username, email].join('\n')))
    await sql`update user_account set name_folded = ${folded(fullname)}, search_folded = ${search}
      where id = ${id}`.execute(db)
  }
}

async function keepPermissions(db: Kysely<unknown>): Promise<void> {
  const { rows: existing } = await sql<{
    id: number
    code_folded: string
  }>`select id, code_folded from organisation`.execute(db)
  const byCode = new Map(existing.map(({ id, code_folded: code }) => [code, id]))
  const { rows: users } = await sql<{ id: string; permissions: string }>`
    select id, permissions from user_account where permissions is not null`.execute(db)
  for (const { id: user, permissions } of users) {
    const sent: unknown = JSON.parse(permissions)
    const subscriptions = new Map<number, number>()
    for (const permission of Array.isArray(sent) ? sent : []) {
      const { oc, ng }: Record<string, unknown> = Object(permission)
      const organisation = typeof oc === 'string' ? byCode.get(foldName(oc)) : undefined
      if (organisation !== undefined && typeof ng === 'number' && Number.isSafeInteger(ng))
        subscriptions.set(organisation, ng)
    }
    for (const [organisation, subscription] of subscriptions)
      await sql`insert into provider_membership (organisation_id, user_id, subscription)
        values (${organisation}, ${user}, ${subscription})`.execute(db)
  }
}

function folded(name: string): string {
  return storable(foldName(name).slice(0, 200))
}
