import type { DiagramAnswer, NeighbourhoodAnswer } from '@cadmus/model/contract/diagram'
import { type CardRow, cardLinks, cardRows, cardSize } from '@cadmus/model/diagram/card-rows'
import { diagramLimits } from '@cadmus/model/diagram/view'
import type { EntityNode } from '@cadmus/model/entity'
import { limits } from '@cadmus/model/limits'
import { mayEditEntity } from '@cadmus/model/locks'
import { isDefaultPath } from '@cadmus/model/paths'
import { resolveModel } from '@cadmus/model/resolved-model'
import { notFound } from '../errors/api-error.ts'
import { yieldToEventLoop } from '../event-loop.ts'
import { lightBytes } from '../store/answer-size.ts'
import { areasOf, type Card, type Diagram, manifestDiagram } from '../store/diagram.ts'
import { neighbourhood } from '../store/diagram-neighbourhood.ts'
import { bodiesOf, lengthsOf } from '../store/content.ts'
import type { Db } from '../store/database.ts'
import { entityContentOf, entityRowsByIds } from '../store/entity.ts'
import { snapshotByHash } from '../store/manifest-snapshot.ts'
import { inWeighedBatches } from '../store/statements.ts'
import type { Store } from '../store/store.ts'
import { manifestAt, modelAt } from './model-at.ts'
import type { ModelPlace, NeighbourhoodPlace, RowsPlace } from './tasks.ts'

/** The diagram of a manifest in its current state, or of one of its versions, which only the contents have. */
export async function diagramAnswer(store: Store, place: ModelPlace): Promise<DiagramAnswer> {
  const { organisationId } = place
  const db = store.of(organisationId)
  const { row, frozen } = await manifestAt(db, place)
  if (frozen === null) return columnsOf(await manifestDiagram(db, organisationId, row), row.latest_version)
  return frozenDiagram(store, place, frozen.version)
}

async function frozenDiagram(store: Store, place: ModelPlace, version: string): Promise<DiagramAnswer> {
  const { root, source } = await modelAt(store, place)
  const { manifests, entities, owner } = resolveModel(root, source)
  const areaOf = new Map(manifests.map(({ id }, index) => [id, index]))
  const cards = entities.map(entity => frozenCard(entity, areaOf.get(owner.get(entity.id) ?? root.id) ?? 0))
  const references = entities.flatMap(entity =>
    cardLinks(entity).map(({ uid, target, row, ends }) => ({ uid, from: entity.id, to: target.id, row, ends })),
  )
  const members = new Set(cards.map(({ id }) => id))
  const targets = new Set(references.map(({ to }) => to)).difference(members)
  const outer = [...targets].flatMap(id => source.entities.get(id) ?? [])
  const diagram = {
    areas: areasOf(manifests, root, outer.length > 0),
    cards: [...cards, ...outer.map(entity => frozenCard(entity, manifests.length))],
    references,
  }
  return columnsOf(diagram, version, true)
}

export function frozenCard(entity: EntityNode, area: number): Card {
  const { id, uid, name, type } = entity
  return { id, uid, name, area, ...cardSize(entity), isDefault: isDefaultPath(entity.path), type }
}

export async function neighbourhoodAnswer(
  store: Store,
  { organisationId, id, steps }: NeighbourhoodPlace,
): Promise<NeighbourhoodAnswer> {
  const max = diagramLimits.neighbourhood
  const result = await neighbourhood(store.of(organisationId), organisationId, id, { steps, max })
  if (!result) throw notFound('The entity')
  const { more, ...diagram } = result
  return { ...columnsOf(diagram, ''), more: [...more] }
}

/** References to entities without a card are left out. */
export function columnsOf({ areas, cards, references }: Diagram, version: string, isFrozen = false): DiagramAnswer {
  const places = new Map(cards.map(({ id }, index) => [id, index]))
  const links: DiagramAnswer['links'] = { uids: [], from: [], to: [], row: [], ends: [] }
  for (const { uid, from: fromId, to: toId, row, ends } of references) {
    const [from, to] = [places.get(fromId), places.get(toId)]
    if (from === undefined || to === undefined) continue
    links.uids.push(uid)
    links.from.push(from)
    links.to.push(to)
    links.row.push(row)
    links.ends.push(ends)
  }
  const entities = {
    ids: cards.map(({ id }) => id),
    uids: cards.map(({ uid }) => uid),
    names: cards.map(({ name }) => name),
    areas: cards.map(({ area }) => area),
    rows: cards.map(({ rows }) => rows),
    keyRows: cards.map(({ keyRows }) => keyRows),
    locked: cards.map(card => isFrozen || isLocked(card)),
  }
  return { areas: [...areas], entities, links, version }
}

function isLocked({ isDefault, type }: Card): boolean {
  return !mayEditEntity({ isDefault, type, currentVersion: '', latestVersion: '' }).allowed
}

type RowsAnswer = { entities: { id: number; rows: CardRow[] }[] }

/** Contents of this many characters at a time: an entity may have thousands of attributes. */
const batch = { items: 50, weight: limits.listedContents }

/** The rows of cards; null if their contents are too large for the request thread. */
export async function lightDiagramRows(store: Store, place: RowsPlace): Promise<RowsAnswer | null> {
  return rowsOf(store, place, lightBytes)
}

export async function diagramRows(store: Store, place: RowsPlace): Promise<RowsAnswer> {
  return (await rowsOf(store, place, Number.POSITIVE_INFINITY)) ?? { entities: [] }
}

async function rowsOf(store: Store, place: RowsPlace, maxBytes: number): Promise<RowsAnswer | null> {
  const { organisationId, ids } = place
  const db = store.of(organisationId)
  const hashes = await hashesOf(db, place)
  const contents = [...new Set(ids)].flatMap(id => {
    const hash = hashes.get(id)
    return hash === undefined ? [] : { id, hash }
  })
  const lengths = await lengthsOf(db, organisationId, contents)
  const sizeOf = ({ hash }: { hash: string }) => lengths.get(hash) ?? 0
  if (contents.reduce((sum, content) => sum + sizeOf(content), 0) > maxBytes) return null
  const entities: RowsAnswer['entities'] = []
  for (const part of inWeighedBatches(contents, batch, sizeOf)) {
    const bodies = await bodiesOf(db, organisationId, part)
    for (const { id, hash } of part) {
      const body = bodies.get(hash)
      if (body !== undefined) entities.push({ id, rows: cardRows(entityContentOf(hash, body)) })
      await yieldToEventLoop()
    }
  }
  return { entities }
}

/** The content hashes of entities, in the current state or in that of a manifest's version. */
async function hashesOf(db: Db, { organisationId, ids, manifest }: RowsPlace): Promise<ReadonlyMap<number, string>> {
  const frozen = manifest && (await manifestAt(db, manifest)).frozen
  if (frozen) {
    const { entities } = await snapshotByHash(db, organisationId, frozen.content_hash)
    return new Map(entities.map(({ id, hash }) => [id, hash]))
  }
  const rows = await entityRowsByIds(db, organisationId, ids)
  return new Map([...rows].map(([id, row]) => [id, row.content_hash]))
}
