import { sql, SqliteAdapter, type Kysely } from 'kysely'

/**
 * Makes the cost of lists, searches and counts proportional to their result: counters (`tally`), indexes for orders and
 * filters, a trigram index for names, and relationship columns in references.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTally(db)
  await replaceIndexes(db)
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  await (isSqlite ? createSqliteSearch(db) : createPostgresSearch(db))
  await addRelationshipColumns(db)
  if (isSqlite) await describeSizes(db)
}

async function createTally(db: Kysely<unknown>): Promise<void> {
  await sql`create table tally (organisation_id bigint not null, name text not null, folder text not null,
    uid text not null, amount bigint not null, primary key (organisation_id, name, folder, uid))`.execute(db)
  const visible = sql`from entity where import_id = 0 and hidden = 0`
  for (const insert of [
    sql`select organisation_id, 'entities', folder, 'start', count(*) ${visible} group by organisation_id, folder`,
    sql`select organisation_id, 'entities', '', 'start', count(*) ${visible} group by organisation_id`,
    sql`select organisation_id, kind, '', 'start', count(*) from audit_entry where import_id = 0
      group by organisation_id, kind`,
  ]) {
    await sql`insert into tally (organisation_id, name, folder, uid, amount) ${insert}`.execute(db)
  }
}

async function replaceIndexes(db: Kysely<unknown>): Promise<void> {
  for (const name of ['entity_name', 'entity_folder', 'audit_kind']) await sql`drop index ${sql.ref(name)}`.execute(db)
  for (const create of [
    'entity_name on entity (organisation_id, import_id, name_folded, id, hidden)',
    'entity_folder on entity (organisation_id, import_id, folder, name_folded, id, hidden)',
    // Counted to be subtracted from the total.
    'entity_unresolved on entity (organisation_id, import_id, hidden) where resolved = 0',
    "entity_not_exclusive on entity (organisation_id, import_id, hidden) where type <> 'EXCLUSIVE'",
    'audit_kind on audit_entry (organisation_id, kind, import_id, sequence)',
  ]) {
    await sql`create index ${sql.raw(create)}`.execute(db)
  }
}

/** A contentless FTS5 table stores only the trigrams; ids are unique in a store. Triggers keep it up to date. */
async function createSqliteSearch(db: Kysely<unknown>): Promise<void> {
  const insert = 'insert into entity_search (rowid, name_folded) values (new.id, new.name_folded)'
  const remove = 'delete from entity_search where rowid = old.id'
  for (const statement of [
    `create virtual table entity_search using fts5 (name_folded, content = '', contentless_delete = 1,
      tokenize = 'trigram case_sensitive 1')`,
    'insert into entity_search (rowid, name_folded) select id, name_folded from entity',
    `create trigger entity_search_insert after insert on entity begin ${insert}; end`,
    `create trigger entity_search_delete after delete on entity begin ${remove}; end`,
    `create trigger entity_search_update after update of name_folded on entity when old.name_folded <> new.name_folded
      begin ${remove}; ${insert}; end`,
  ]) {
    await sql.raw(statement).execute(db)
  }
}

/** Without the extension, which may be missing or forbidden, searches scan all names. */
async function createPostgresSearch(db: Kysely<unknown>): Promise<void> {
  await sql`savepoint search`.execute(db)
  try {
    await sql`create extension if not exists pg_trgm`.execute(db)
    await sql`create index entity_search on entity using gin (name_folded gin_trgm_ops)`.execute(db)
  } catch {
    await sql`rollback to savepoint search`.execute(db)
  }
  await sql`release savepoint search`.execute(db)
}

/**
 * Fixed statistics of a large store for SQLite's planner. Without them it scans a whole organisation for the ten rows
 * of a search, and statistics measured on an empty store would never be updated.
 */
async function describeSizes(db: Kysely<unknown>): Promise<void> {
  await sql`analyze`.execute(db)
  await sql`delete from sqlite_stat1`.execute(db)
  for (const [table, index, sizes] of [
    ['entity', 'sqlite_autoindex_entity_1', '60000 30000 1'],
    ['entity', 'entity_name', '60000 30000 30000 2 1 1'],
    ['entity', 'entity_folder', '60000 30000 30000 60 2 1 1'],
    ['entity', 'entity_manifest', '60000 30000 60 1'],
    ['entity', 'entity_uid', '60000 30000 1'],
    ['entity', 'entity_corpus', '60000 30000 60'],
    ['entity', 'entity_unresolved', '600 300 300 300'],
    ['entity', 'entity_not_exclusive', '600 300 300 300'],
    ['entity_reference', 'sqlite_autoindex_entity_reference_1', '60000 30000 2 1 1'],
    ['entity_reference', 'reference_target', '60000 30000 3'],
    ['manifest_member', 'sqlite_autoindex_manifest_member_1', '60000 30000 60 1'],
    ['manifest_member', 'member_position', '60000 30000 60 1'],
    ['manifest_member', 'member_entity', '60000 30000 2'],
    ['content', 'sqlite_autoindex_content_1', '60000 30000 1'],
  ] as const) {
    await sql`insert into sqlite_stat1 (tbl, idx, stat) values (${table}, ${index}, ${sizes})`.execute(db)
  }
}

async function addRelationshipColumns(db: Kysely<unknown>): Promise<void> {
  for (const column of [
    "foreign_key text not null default ''",
    "target text not null default ''",
    'place bigint not null default 0',
  ]) {
    await sql`alter table entity_reference add column ${sql.raw(column)}`.execute(db)
  }
  for (let after = -1; ;) {
    const { rows } = await sql<Row>`select entity.organisation_id, entity.id, content.body from entity
      join content on content.organisation_id = entity.organisation_id and content.hash = entity.content_hash
      where entity.id > ${after} order by entity.id limit ${batch}`.execute(db)
    for (const row of rows) await describeReferences(db, row)
    const last = rows.at(-1)
    if (last === undefined) return
    after = Number(last.id)
  }
}

const batch = 100

type Row = { organisation_id: number; id: number; body: string }
/** The required part of a content, in its only format at that time. */
type Content = {
  entityAttributes: {
    uid: string
    foreignKeyTypeAttribute: string
    associatedEntity: { id: number }
    associatedEntityTypeAttribute: string
  }[]
}

async function describeReferences(db: Kysely<unknown>, row: Row): Promise<void> {
  const { entityAttributes }: Content = JSON.parse(row.body)
  for (const [place, item] of entityAttributes.entries()) {
    await sql`update entity_reference set foreign_key = ${item.foreignKeyTypeAttribute.replaceAll('\0', '\uFFFD')},
      target = ${item.associatedEntityTypeAttribute.replaceAll('\0', '\uFFFD')}, place = ${place}
      where organisation_id = ${row.organisation_id} and from_id = ${row.id} and attribute_uid = ${item.uid}
      and to_id = ${item.associatedEntity.id}`.execute(db)
  }
}
