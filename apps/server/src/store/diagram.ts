import type { DiagramAnswer } from '@cadmus/model/contract/diagram'
import { type EntityType, entityTypes } from '@cadmus/model/entity-types'
import { isDefaultPath } from '@cadmus/model/paths'
import * as z from 'zod'
import type { Db } from './database.ts'
import { idBatch, rowsInBatches } from './statements.ts'
import { manifestsPendingDeletion } from './pending-deletion.ts'
import type { ManifestRow } from './manifest.ts'
import { manifestsBelow } from './resolved-rows.ts'

export type Area = DiagramAnswer['areas'][number]

/** `area`: index. */
export type Card = {
  id: number
  uid: string
  name: string
  area: number
  rows: number
  keyRows: number
  isDefault: boolean
  type: EntityType
}

/** Between entities, by id. */
export type CardReference = { uid: string; from: number; to: number; row: number; ends: number }

export type Diagram = { areas: readonly Area[]; cards: readonly Card[]; references: readonly CardReference[] }

export const outside: Area = { uid: '', name: '', path: '', kind: 'outside' }

/** The current diagram of a manifest and its sub-manifests, read from rows without contents. */
export async function manifestDiagram(db: Db, organisationId: number, root: ManifestRow): Promise<Diagram> {
  const manifests = await manifestsBelow(db, organisationId, root)
  const areaOf = new Map(manifests.map(({ id }, index) => [id, index]))
  const cards = await memberCards(db, organisationId, areaOf)
  const references = await referencesFrom(db, organisationId, [...cards.keys()])
  const targets = new Set(references.map(({ to }) => to).filter(to => !cards.has(to)))
  const outer = await cardRowsOf(db, organisationId, [...targets])
  return {
    areas: areasOf(manifests, root, outer.length > 0),
    cards: [...cards.values(), ...outer.map(row => cardOf(row, manifests.length))],
    references,
  }
}

type Manifest = Pick<ManifestRow, 'uid' | 'name' | 'path'>

/** An area for each manifest, and one for what lies outside of them. */
export function areasOf(manifests: readonly Manifest[], root: Manifest, hasOuter: boolean): Area[] {
  const areas = manifests.map(({ uid, name, path }): Area => {
    return { uid, name, path, kind: uid === root.uid ? 'own' : 'subManifest' }
  })
  return hasOuter ? [...areas, outside] : areas
}

/** Each entity once: in the manifest that owns it, or else in the first that lists it. */
async function memberCards(
  db: Db,
  organisationId: number,
  areaOf: ReadonlyMap<number, number>,
): Promise<Map<number, Card>> {
  const rows = await rowsInBatches([...areaOf.keys()], idBatch, part =>
    visibleCards(db, organisationId)
      .innerJoin('manifest_member', join =>
        join
          .onRef('manifest_member.entity_id', '=', 'entity.id')
          .onRef('manifest_member.entity_organisation_id', '=', 'entity.organisation_id'),
      )
      .select(['manifest_member.manifest_id as listed', 'manifest_member.position'])
      .where('manifest_member.organisation_id', 'in', [organisationId, 0])
      .where('manifest_member.manifest_id', 'in', part)
      .execute(),
  )
  const areaIn = ({ listed }: { listed: number }) => areaOf.get(listed) ?? 0
  rows.sort((a, b) => areaIn(a) - areaIn(b) || a.position - b.position)
  const cards = new Map<number, Card>()
  for (const row of rows) {
    if (!cards.has(row.id)) cards.set(row.id, cardOf(row, areaOf.get(row.manifest_id) ?? areaIn(row)))
  }
  return cards
}

/** The links of entities, in the order of their rows. */
export async function referencesFrom(db: Db, organisationId: number, ids: readonly number[]): Promise<CardReference[]> {
  return rowsInBatches(ids, idBatch, part =>
    db
      .selectFrom('entity_reference')
      .select(['attribute_uid as uid', 'from_id as from', 'to_id as to', 'card_row as row', 'link_ends as ends'])
      .where('organisation_id', 'in', [organisationId, 0])
      .where('from_id', 'in', part)
      .where('attribute_uid', '!=', '')
      .where('to_id', '>', 0)
      .orderBy('from_id')
      .orderBy('card_row')
      .orderBy('to_id')
      .execute(),
  )
}

type EntityCard = Awaited<ReturnType<typeof cardRowsOf>>[number]

export function cardOf(row: EntityCard, area: number): Card {
  const { id, uid, name, path, card_rows: rows, card_key_rows: keyRows } = row
  const isDefault = row.organisation_id === 0 || isDefaultPath(path)
  return { id, uid, name, area, rows, keyRows, isDefault, type: entityType.parse(row.type) }
}

const entityType = z.enum(entityTypes)

/** The rows of visible entities, by name. */
export async function cardRowsOf(db: Db, organisationId: number, ids: readonly number[]) {
  const rows = await rowsInBatches(ids, idBatch, part =>
    visibleCards(db, organisationId).where('entity.id', 'in', part).execute(),
  )
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id))
}

function visibleCards(db: Db, organisationId: number) {
  return db
    .selectFrom('entity')
    .select([
      'entity.id',
      'entity.uid',
      'entity.name',
      'entity.path',
      'entity.type',
      'entity.organisation_id',
      'entity.manifest_id',
      'entity.card_rows',
      'entity.card_key_rows',
    ])
    .where('entity.organisation_id', 'in', [organisationId, 0])
    .where('entity.import_id', '=', 0)
    .where('entity.manifest_id', 'not in', manifestsPendingDeletion(db, [organisationId]))
}
