import { type Kysely, sql } from 'kysely'

/** Access tokens, and the provider's last permissions on users, because tokens outlive sessions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table personal_token (id bigint not null, token_hash text not null, user_id text not null,
    organisation_id bigint not null, name text not null, name_folded text not null, access text not null,
    is_admin bigint not null, created_at text not null, expires_at text not null, last_used_at text, revoked_at text,
    primary key (id))`.execute(db)
  await sql`create unique index personal_token_hash on personal_token (token_hash)`.execute(db)
  await sql`create index personal_token_user on personal_token (user_id, organisation_id)`.execute(db)
  await sql`create index personal_token_end on personal_token (expires_at)`.execute(db)
  await sql`alter table user_account add column permissions text`.execute(db)
  await sql`update user_account set permissions = (select session.permissions from session
    where session.user_id = user_account.id order by session.created_at desc limit 1)`.execute(db)
}
