import { cardLinks, cardSize } from '@cadmus/model/diagram/card-rows'
import { entityForm } from '@cadmus/model/content'
import { readStored } from '@cadmus/model/stored/stored-form'
import { type Kysely, sql } from 'kysely'

const entitiesAtOnce = 50
const rowsAtOnce = 500

/**
 * Diagrams: the size of each entity's card and the ends of its links, so that a diagram needs no contents, filled from them in
 * slices; and views with the placements of cards.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    'alter table entity add column card_rows bigint not null default 0',
    'alter table entity add column card_key_rows bigint not null default 0',
    'alter table entity_reference add column card_row bigint not null default 0',
    'alter table entity_reference add column link_ends bigint not null default 0',
    `create table diagram_view (organisation_id bigint not null, uid text not null, manifest_id bigint not null,
      user_id text not null, name text not null, name_folded text not null, detail text not null,
      revision bigint not null, primary key (organisation_id, uid))`,
    `create unique index diagram_view_name on diagram_view (organisation_id, manifest_id, user_id, name_folded)`,
    `create table diagram_placement (organisation_id bigint not null, view_uid text not null, entity_uid text not null,
      x bigint, y bigint, hidden bigint not null, revision bigint not null, user_id text not null,
      user_name text not null, at text not null, primary key (organisation_id, view_uid, entity_uid))`,
    `create table diagram_operation (organisation_id bigint not null, operation_id text not null,
      view_uid text not null, user_id text not null, digest text not null, refused text not null, at bigint not null,
      primary key (organisation_id, operation_id))`,
  ])
    await sql.raw(statement).execute(db)
  await fill(db)
}

type Row = { organisation_id: number; id: number; body: string }

async function fill(db: Kysely<unknown>): Promise<void> {
  let after: Pick<Row, 'organisation_id' | 'id'> | undefined = { organisation_id: -1, id: -1 }
  while (after) after = await fillSlice(db, after)
}

/** Fills the entities after a position and returns the last one; undefined at the end. */
async function fillSlice(
  db: Kysely<unknown>,
  { organisation_id: organisation, id }: Pick<Row, 'organisation_id' | 'id'>,
) {
  const { rows } = await sql<Row>`
    select entity.organisation_id, entity.id, content.body
    from entity join content
      on content.organisation_id = entity.organisation_id and content.hash = entity.content_hash
    where (entity.organisation_id, entity.id) > (${organisation}, ${id})
    order by entity.organisation_id, entity.id limit ${entitiesAtOnce}`.execute(db)
  const cards = rows.map(row => ({ ...row, content: readStored(entityForm, JSON.parse(row.body)) }))
  for (const card of cards) {
    const { rows: count, keyRows } = cardSize(card.content)
    await sql`update entity set card_rows = ${count}, card_key_rows = ${keyRows}
      where organisation_id = ${card.organisation_id} and id = ${card.id}`.execute(db)
  }
  const links = cards.flatMap(card =>
    [...new Map(cardLinks(card.content).map(link => [link.uid, link])).values()].map(
      ({ uid, row, ends }) => sql`(${card.organisation_id}, ${card.id}, ${uid}, ${row}, ${ends})`,
    ),
  )
  for (let start = 0; start < links.length; start += rowsAtOnce) {
    await sql`with link (organisation_id, from_id, uid, card_row, ends) as (values ${sql.join(links.slice(start, start + rowsAtOnce))})
      update entity_reference set card_row = cast(link.card_row as bigint), link_ends = cast(link.ends as bigint)
      from link where entity_reference.organisation_id = cast(link.organisation_id as bigint)
      and entity_reference.from_id = cast(link.from_id as bigint)
      and entity_reference.attribute_uid = link.uid`.execute(db)
  }
  return rows.at(-1)
}
