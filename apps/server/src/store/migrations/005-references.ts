import { sql, type Kysely } from 'kysely'

const entitiesAtOnce = 50
const rowsAtOnce = 500
/** Maximum length in the index; no entity has a longer path. */
const longestPath = 800

/**
 * References by uid: `entity_column` holds the current name of each attribute and foreign key, and `open_reference` the
 * targets of unresolved references. Both are filled from the contents in slices, which may be repeated after a crash.
 * Contents are unchanged: `content.ts` reads older formats.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table if not exists entity_column (
    organisation_id bigint not null, uid text not null, entity_id bigint not null, name text not null,
    primary key (organisation_id, uid, entity_id))`.execute(db)
  await sql`create index if not exists entity_column_entity on entity_column (organisation_id, entity_id)`.execute(db)
  await sql`create table if not exists open_reference (
    organisation_id bigint not null, from_id bigint not null, uid text not null, path text not null,
    primary key (organisation_id, from_id, uid, path))`.execute(db)
  await sql`create index if not exists open_reference_uid on open_reference (organisation_id, uid)`.execute(db)
  await sql`create index if not exists open_reference_path on open_reference (organisation_id, path)`.execute(db)
  await fill(db)
}

type Row = { organisation_id: number; id: number; body: string }
type Place = { organisation: number; id: number }

async function fill(db: Kysely<unknown>): Promise<void> {
  let after: Place | undefined = { organisation: -1, id: -1 }
  while (after) after = await fillSlice(db, after)
}

/** Fills the entities after a position and returns the next position; undefined at the end. */
async function fillSlice(db: Kysely<unknown>, { organisation, id }: Place): Promise<Place | undefined> {
  const { rows } = await sql<Row>`
    select entity.organisation_id, entity.id, content.body
    from entity join content
      on content.organisation_id = entity.organisation_id and content.hash = entity.content_hash
    where entity.organisation_id > ${organisation}
      or (entity.organisation_id = ${organisation} and entity.id > ${id})
    order by entity.organisation_id, entity.id limit ${entitiesAtOnce}`.execute(db)
  const columns = rows.flatMap(row =>
    columnsIn(row.body).map(({ uid, name }) => sql`(${row.organisation_id}, ${uid}, ${row.id}, ${name})`),
  )
  for (let start = 0; start < columns.length; start += rowsAtOnce) {
    const part = sql.join(columns.slice(start, start + rowsAtOnce))
    await sql`insert into entity_column (organisation_id, uid, entity_id, name) values ${part}
      on conflict do nothing`.execute(db)
  }
  const open = rows.flatMap(row => openIn(row.body).map(path => sql`(${row.organisation_id}, ${row.id}, '', ${path})`))
  for (let start = 0; start < open.length; start += rowsAtOnce) {
    const part = sql.join(open.slice(start, start + rowsAtOnce))
    await sql`insert into open_reference (organisation_id, from_id, uid, path) values ${part}
      on conflict do nothing`.execute(db)
  }
  const last = rows.at(-1)
  return last && { organisation: last.organisation_id, id: last.id }
}

type Column = { uid: string; name: string }

/** The attributes and foreign keys of a content in format 1, the only one at that time. */
function columnsIn(body: string): Column[] {
  const content: unknown = JSON.parse(body)
  const attributes = list(content, 'typeAttributes').map(item => column(item, 'name'))
  const keys = list(content, 'entityAttributes').map(item => column(item, 'foreignKeyTypeAttribute'))
  return [...attributes, ...keys].filter(item => item !== undefined)
}

/** The paths of references whose entity was never stored. */
function openIn(body: string): string[] {
  const content: unknown = JSON.parse(body)
  const references = [
    field(content, 'extendsEntity'),
    ...list(content, 'entityAttributes').flatMap(item => [
      field(item, 'associatedEntity'),
      ...list(item, 'alternativeTargets').map(target => field(target, 'entity')),
    ]),
  ]
  const open = references.filter(reference => field(reference, 'id') === -1)
  const paths = open.map(reference => field(reference, 'path')).filter(path => typeof path === 'string')
  return [...new Set(paths)]
    .map(path => path.replaceAll('\0', ''))
    .filter(path => path !== '' && path.length <= longestPath)
}

function column(item: unknown, nameField: string): Column | undefined {
  const [uid, name] = [field(item, 'uid'), field(item, nameField)]
  return typeof uid === 'string' && typeof name === 'string' ? { uid, name: name.replaceAll('\0', '') } : undefined
}

function list(value: unknown, name: string): unknown[] {
  const result = field(value, name)
  return Array.isArray(result) ? result : []
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}
