import { foldName } from '@cadmus/model/paths'
import { sql, type Kysely } from 'kysely'

const namesAtOnce = 500

/**
 * The attribute search: `attribute_name` holds each name once, however many attributes have it, with an index to the
 * attributes. Names too long for an index are not searchable.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table attribute_name (organisation_id bigint not null, name text not null, name_folded text not null,
    primary key (organisation_id, name))`.execute(db)
  await sql`create index attribute_name_folded on attribute_name (organisation_id, name_folded)`.execute(db)
  await sql`create index entity_column_name on entity_column (organisation_id, name, entity_id)
    where length(name) <= 200`.execute(db)
  let after: Name | undefined = { organisation_id: -1, name: '' }
  while (after) after = await fillSlice(db, after)
}

type Name = { organisation_id: number; name: string }

/** Copies the names after one and returns the last copied; undefined at the end. */
async function fillSlice(db: Kysely<unknown>, { organisation_id: organisation, name }: Name) {
  const { rows } = await sql<Name>`
    select distinct organisation_id, name from entity_column
    where length(name) <= 200 and (organisation_id, name) > (${organisation}, ${name})
    order by organisation_id, name limit ${namesAtOnce}`.execute(db)
  const values = rows.map(row => sql`(${row.organisation_id}, ${row.name}, ${foldName(row.name)})`)
  if (values.length > 0)
    await sql`insert into attribute_name (organisation_id, name, name_folded) values ${sql.join(values)}`.execute(db)
  return rows.at(-1)
}
