import { sql } from 'kysely'
import type { Db } from './database.ts'
import { entityRowsByIds } from './entity.ts'
import type { ManifestRow } from './manifest.ts'
import { mark, markedRows } from './marked-rows.ts'
import { unseenManifests } from './unseen.ts'

export type RelationshipRow = {
  fromEntity: string
  fromEntityAttribute: string
  toEntity: string
  toEntityAttribute: string
}

type Manifest = Pick<ManifestRow, 'id' | 'organisation_id'>
type Named = { name: string }
/** Null where there is none. */
type Text = string | null

const [position, place] = [sql.ref('manifest_member.position'), sql.ref('entity_reference.place')]
const memberText = sql<Text>`entity.id || ${sql.val(mark)} || entity.name || ${sql.val(mark)} || entity.path`
const referenceText = sql<Text>`entity_reference.from_id || ${sql.val(mark)} || entity_reference.to_id || ${sql.val(mark)} || entity_reference.foreign_key || ${sql.val(mark)} || entity_reference.target`

/**
 * The relationships of a manifest's own members in their order, from the rows that say who refers to whom: no content is read.
 * Ends that are gone are left out. `coming` are the manifest's members, by id.
 */
export async function relationshipsOfManifest(
  db: Db,
  organisationId: number,
  manifest: Manifest,
  coming: Promise<ReadonlyMap<number, Named>>,
): Promise<RelationshipRow[]> {
  const [rows, members] = await Promise.all([referencesWithin(db, organisationId, manifest), coming])
  const outside = rows.map(row => row.to).filter(id => id > 0 && !members.has(id))
  const others: ReadonlyMap<number, Named> = await entityRowsByIds(db, organisationId, outside)
  return rows.flatMap(row => {
    const [from, to] = [members.get(row.from), members.get(row.to) ?? others.get(row.to)]
    if (from === undefined || to === undefined) return []
    const { foreignKey: fromEntityAttribute, target: toEntityAttribute } = row
    return [{ fromEntity: from.name, fromEntityAttribute, toEntity: to.name, toEntityAttribute }]
  })
}

type Reference = { from: number; to: number; foreignKey: string; target: string }

async function referencesWithin(db: Db, organisationId: number, manifest: Manifest): Promise<Reference[]> {
  const row = await referencesText(db, organisationId, manifest).executeTakeFirst()
  return markedRows(row?.text, 4).map(([from, to, foreignKey = '', target = '']) => {
    return { from: Number(from), to: Number(to), foreignKey, target }
  })
}

/** A manifest's members in their order, as far as they are there, without their contents. */
export async function memberParts(
  db: Db,
  organisationId: number,
  manifest: Manifest,
): Promise<{ id: number; name: string; path: string }[]> {
  const row = await membersText(db, organisationId, manifest).executeTakeFirst()
  return markedRows(row?.text, 3).map(([id, name = '', path = '']) => ({ id: Number(id), name, path }))
}

/** All members as one text, and so their references: ten thousand rows cost the store and its driver more than that. */
function membersText(db: Db, organisationId: number, manifest: Manifest) {
  return db
    .selectFrom('manifest_member')
    .innerJoin('entity', join =>
      join
        .onRef('entity.id', '=', 'manifest_member.entity_id')
        .onRef('entity.organisation_id', '=', 'manifest_member.entity_organisation_id'),
    )
    .select(sql<Text>`string_agg(${memberText}, ${sql.val(mark)} order by ${position})`.as('text'))
    .where('manifest_member.organisation_id', '=', manifest.organisation_id)
    .where('manifest_member.manifest_id', '=', manifest.id)
    .where('entity.organisation_id', 'in', [organisationId, 0])
    .where('entity.import_id', '=', 0)
    .where('entity.manifest_id', 'not in', unseenManifests(db, [organisationId]))
}

function referencesText(db: Db, organisationId: number, manifest: Manifest) {
  return db
    .selectFrom('manifest_member')
    .innerJoin('entity_reference', join =>
      join
        .onRef('entity_reference.organisation_id', '=', 'manifest_member.entity_organisation_id')
        .onRef('entity_reference.from_id', '=', 'manifest_member.entity_id'),
    )
    .select(sql<Text>`string_agg(${referenceText}, ${sql.val(mark)} order by ${position}, ${place})`.as('text'))
    .where('manifest_member.organisation_id', '=', manifest.organisation_id)
    .where('manifest_member.manifest_id', '=', manifest.id)
    .where('entity_reference.organisation_id', 'in', [organisationId, 0])
    .where('entity_reference.foreign_key', '!=', '')
}
