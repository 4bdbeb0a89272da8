import { sql, type Kysely } from 'kysely'

type Columns = Record<string, 'text' | 'bigint' | 'text?'>

/**
 * The first schema. Text and bigint suffice, so that one declaration fits both databases. Migrations must not use row
 * types, which describe later versions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, [key, columns]] of Object.entries(tables)) {
    const parts = Object.entries(columns).map(
      ([column, type]) => sql`${sql.ref(column)} ${sql.raw(type === 'text?' ? 'text' : `${type} not null`)}`,
    )
    await sql`create table ${sql.table(table)} (${sql.join([...parts, sql`primary key (${names(key)})`])})`.execute(db)
  }
  for (const [name, table, columns, unique] of indexes) {
    const create = unique ? sql`create unique index` : sql`create index`
    await sql`${create} ${sql.ref(name)} on ${sql.table(table)} (${names(columns)})`.execute(db)
  }
}

function names(columns: readonly string[]) {
  return sql.join(columns.map(column => sql.ref(column)))
}

const change = { created_at: 'text', updated_at: 'text', updated_by: 'text' } as const
const version = { version: 'text', content_hash: 'text', created_at: 'text', created_by: 'text' } as const
const place = {
  id: 'bigint',
  uid: 'text',
  name: 'text',
  name_folded: 'text',
  path: 'text',
  folder: 'text',
  content_hash: 'text',
  latest_version: 'text',
  corpus_path: 'text?',
  import_id: 'bigint',
  hidden: 'bigint',
} as const

const tables: Record<string, readonly [key: readonly string[], columns: Columns]> = {
  id_block: [['name'], { name: 'text', next_id: 'bigint' }],
  organisation: [
    ['id'],
    { id: 'bigint', code: 'text', code_folded: 'text', name: 'text', licence_limits: 'text', created_at: 'text' },
  ],
  user_account: [
    ['id'],
    {
      id: 'text',
      subject: 'text',
      issuer: 'text',
      username: 'text',
      fullname: 'text',
      email: 'text',
      avatar: 'text?',
      is_admin: 'bigint',
      updated_at: 'text',
    },
  ],
  membership: [['user_id', 'organisation_id'], { user_id: 'text', organisation_id: 'bigint', subscription: 'bigint' }],
  session: [
    ['id'],
    {
      id: 'text',
      token_hash: 'text',
      refresh_hash: 'text',
      previous_refresh_hash: 'text?',
      rotated_at: 'text?',
      user_id: 'text',
      is_admin: 'bigint',
      permissions: 'text?',
      provider_tokens: 'text',
      created_at: 'text',
      expires_at: 'text',
      refresh_expires_at: 'text',
      revoked_at: 'text?',
    },
  ],
  lease: [['name'], { name: 'text', holder: 'text', expires_at: 'text' }],
  content: [['organisation_id', 'hash'], { organisation_id: 'bigint', hash: 'text', body: 'text' }],
  entity: [
    ['organisation_id', 'id'],
    {
      organisation_id: 'bigint',
      ...place,
      type: 'text',
      manifest_id: 'bigint',
      extends_id: 'bigint',
      scopes: 'text',
      resolved: 'bigint',
      ...change,
    },
  ],
  entity_version: [
    ['organisation_id', 'entity_id', 'version'],
    { organisation_id: 'bigint', entity_id: 'bigint', ...version },
  ],
  entity_reference: [
    ['organisation_id', 'from_id', 'attribute_uid', 'to_id'],
    { organisation_id: 'bigint', from_id: 'bigint', attribute_uid: 'text', to_id: 'bigint' },
  ],
  entity_scopes: [['organisation_id', 'entity_id'], { organisation_id: 'bigint', entity_id: 'bigint', scopes: 'text' }],
  manifest: [
    ['organisation_id', 'id'],
    {
      organisation_id: 'bigint',
      ...place,
      configuration_hash: 'text?',
      entity_count: 'bigint',
      sub_manifest_count: 'bigint',
      revision: 'bigint',
      ...change,
    },
  ],
  manifest_member: [
    ['organisation_id', 'manifest_id', 'entity_id'],
    {
      organisation_id: 'bigint',
      manifest_id: 'bigint',
      entity_id: 'bigint',
      entity_organisation_id: 'bigint',
      type: 'text',
      position: 'bigint',
    },
  ],
  manifest_sub_manifest: [
    ['organisation_id', 'manifest_id', 'sub_manifest_id'],
    {
      organisation_id: 'bigint',
      manifest_id: 'bigint',
      sub_manifest_id: 'bigint',
      sub_organisation_id: 'bigint',
      position: 'bigint',
    },
  ],
  manifest_version: [
    ['organisation_id', 'manifest_id', 'version'],
    { organisation_id: 'bigint', manifest_id: 'bigint', ...version },
  ],
  audit_entry: [
    ['organisation_id', 'id'],
    {
      organisation_id: 'bigint',
      id: 'bigint',
      at: 'text',
      kind: 'text',
      target_id: 'bigint',
      action_type: 'text',
      user_id: 'text',
      user_name: 'text',
      user_name_folded: 'text',
      user_email: 'text',
      name: 'text',
      path: 'text',
      description: 'text',
      original_hash: 'text?',
      updated_hash: 'text?',
      import_id: 'bigint',
    },
  ],
  import_run: [
    ['organisation_id', 'id'],
    { organisation_id: 'bigint', id: 'bigint', user_id: 'text', started_at: 'text', heartbeat_at: 'text' },
  ],
  library_state: [['name'], { name: 'text', value: 'text' }],
}

const indexes: readonly (readonly [name: string, table: string, columns: readonly string[], unique?: true])[] = [
  ['organisation_code', 'organisation', ['code_folded'], true],
  ['session_token', 'session', ['token_hash'], true],
  ['session_refresh', 'session', ['refresh_hash'], true],
  ['session_previous', 'session', ['previous_refresh_hash']],
  ['session_end', 'session', ['refresh_expires_at']],
  ['entity_uid', 'entity', ['organisation_id', 'uid'], true],
  ['entity_name', 'entity', ['organisation_id', 'import_id', 'name_folded', 'id']],
  ['entity_folder', 'entity', ['organisation_id', 'import_id', 'folder', 'name_folded', 'id']],
  ['entity_manifest', 'entity', ['organisation_id', 'manifest_id', 'name_folded']],
  ['entity_corpus', 'entity', ['organisation_id', 'corpus_path']],
  ['reference_target', 'entity_reference', ['organisation_id', 'to_id']],
  ['manifest_uid', 'manifest', ['organisation_id', 'uid'], true],
  ['manifest_name', 'manifest', ['organisation_id', 'import_id', 'name_folded', 'id']],
  ['manifest_folder', 'manifest', ['organisation_id', 'import_id', 'folder', 'name_folded', 'id']],
  ['member_entity', 'manifest_member', ['organisation_id', 'entity_id']],
  ['member_position', 'manifest_member', ['organisation_id', 'manifest_id', 'position']],
  ['sub_manifest_sub', 'manifest_sub_manifest', ['organisation_id', 'sub_manifest_id']],
  ['audit_kind', 'audit_entry', ['organisation_id', 'kind', 'at', 'id']],
  ['audit_target', 'audit_entry', ['organisation_id', 'target_id', 'id']],
]
