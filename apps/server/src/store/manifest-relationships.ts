import { sql } from 'kysely'
import type { Db } from './database.ts'
import { entityRowsByIds } from './entity.ts'
import type { ManifestRow } from './manifest.ts'
import { mark, markedFields } from './model-source.ts'
import { manifestsPendingDeletion } from './pending-deletion.ts'

export type RelationshipRow = {
  fromEntity: string
  fromEntityAttribute: string
  toEntity: string
  toEntityAttribute: string
}

type Manifest = Pick<ManifestRow, 'id' | 'organisation_id' | 'entity_count'>
type Named = { name: string }
type Part = { id: number; name: string; path: string }
type Span = { first: number; last: number }
type Text = string | null

/** Up to this number, members are looked up individually. */
const maxSingleLookups = 500

const [position, place] = [sql.ref('manifest_member.position'), sql.ref('entity_reference.place')]
const memberText = sql<Text>`concat_ws(${sql.val(mark)}, entity.id, entity.name, entity.path)`
const memberFields = 3
const referenceText = sql<Text>`concat_ws(${sql.val(mark)}, entity_reference.from_id, entity_reference.to_id, entity_reference.foreign_key, entity_reference.target)`
const referenceFields = 4

/**
 * Returns the relationships of a manifest's own members, in order, from the reference rows without reading contents.
 * Omits relationships whose target is missing. `loadedMembers` resolves to the manifest's members by id.
 */
export async function relationshipsOfManifest(
  db: Db,
  organisationId: number,
  manifest: Manifest,
  loadedMembers: Promise<ReadonlyMap<number, Named>>,
): Promise<RelationshipRow[]> {
  const [fields, members] = await Promise.all([referencesWithin(db, organisationId, manifest), loadedMembers])
  const outside: number[] = []
  for (let at = 0; at < fields.length; at += referenceFields) {
    const to = Number(fields[at + 1])
    if (to > 0 && !members.has(to)) outside.push(to)
  }
  const others: ReadonlyMap<number, Named> = await entityRowsByIds(db, organisationId, outside)
  const matching: RelationshipRow[] = []
  for (let at = 0; at < fields.length; at += referenceFields) {
    const [from, to] = [members.get(Number(fields[at])), Number(fields[at + 1])]
    const end = members.get(to) ?? others.get(to)
    if (from === undefined || end === undefined) continue
    const [fromEntityAttribute = '', toEntityAttribute = ''] = [fields[at + 2], fields[at + 3]]
    matching.push({ fromEntity: from.name, fromEntityAttribute, toEntity: end.name, toEntityAttribute })
  }
  return matching
}

/** Returns a manifest's existing members by id, without contents. */
export async function memberParts(
  db: Db,
  organisationId: number,
  manifest: Manifest,
): Promise<ReadonlyMap<number, Part>> {
  const span = await spanOf(db, manifest)
  const row = await membersText(db, organisationId, manifest, span).executeTakeFirst()
  const fields = markedFields(row?.text)
  const parts = new Map<number, Part>()
  for (let at = 0; at < fields.length; at += memberFields) {
    const [id, name = '', path = ''] = [Number(fields[at]), fields[at + 1], fields[at + 2]]
    parts.set(id, { id, name, path })
  }
  return parts
}

async function referencesWithin(db: Db, organisationId: number, manifest: Manifest): Promise<string[]> {
  const span = await spanOf(db, manifest)
  const row = await referencesText(db, organisationId, manifest, span).executeTakeFirst()
  return markedFields(row?.text)
}

/**
 * Returns the id range of a large manifest's members. Members are usually created together, so the range lets the store
 * read only that part of the organisation's rows.
 */
async function spanOf(db: Db, manifest: Manifest): Promise<Span | null> {
  if (manifest.entity_count <= maxSingleLookups) return null
  const { first, last } = await db
    .selectFrom('manifest_member')
    .select(query => [
      query.fn.min<number | null>('entity_id').as('first'),
      query.fn.max<number | null>('entity_id').as('last'),
    ])
    .where('organisation_id', '=', manifest.organisation_id)
    .where('manifest_id', '=', manifest.id)
    .executeTakeFirstOrThrow()
  return first === null || last === null ? null : { first, last }
}

/**
 * Aggregates all members into one text, and likewise their references: ten thousand rows would cost the store and its
 * driver more.
 */
function membersText(db: Db, organisationId: number, manifest: Manifest, span: Span | null) {
  const matching = db
    .selectFrom('manifest_member')
    .innerJoin('entity', join =>
      join
        .onRef('entity.id', '=', 'manifest_member.entity_id')
        .onRef('entity.organisation_id', '=', 'manifest_member.entity_organisation_id'),
    )
    .select(sql<Text>`string_agg(${memberText}, ${sql.val(mark)})`.as('text'))
    .where('manifest_member.organisation_id', '=', manifest.organisation_id)
    .where('manifest_member.manifest_id', '=', manifest.id)
    .where('entity.organisation_id', 'in', [organisationId, 0])
    .where('entity.import_id', '=', 0)
    .where('entity.manifest_id', 'not in', manifestsPendingDeletion(db, [organisationId]))
  return span === null ? matching : matching.where('entity.id', '>=', span.first).where('entity.id', '<=', span.last)
}

function referencesText(db: Db, organisationId: number, manifest: Manifest, span: Span | null) {
  const matching = db
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
  if (span === null) return matching
  return matching.where('entity_reference.from_id', '>=', span.first).where('entity_reference.from_id', '<=', span.last)
}
