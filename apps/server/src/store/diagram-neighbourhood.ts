import type { Db } from './database.ts'
import { type Area, cardOf, cardRowsOf, type Diagram, outside, referencesFrom } from './diagram.ts'
import { manifestsByIds } from './manifest.ts'
import { manifestsPendingDeletion } from './pending-deletion.ts'
import { idBatch, rowsInBatches } from './statements.ts'

/** `more`: by card, the number of entities linked with it that have no card. */
export type Neighbourhood = Diagram & { more: readonly number[] }

/**
 * The entities up to a number of links away from one, which is first; at most `max`, nearest first. Areas are their
 * manifests. Undefined if the entity does not exist. One with very many referrers costs only as much as are included.
 */
export async function neighbourhood(
  db: Db,
  organisationId: number,
  id: number,
  { steps, max }: { steps: number; max: number },
): Promise<Neighbourhood | undefined> {
  const ids = await idsAround(db, organisationId, id, { steps, max })
  const rows = new Map((await cardRowsOf(db, organisationId, ids)).map(row => [row.id, row]))
  if (!rows.has(id)) return undefined
  const shown = ids.filter(one => rows.has(one))
  const references = await referencesFrom(db, organisationId, shown)
  const owners = [...new Set(shown.map(one => rows.get(one)?.manifest_id ?? 0))]
  const manifests = new Map((await manifestsByIds(db, organisationId, owners)).map(row => [row.id, row]))
  const areas = owners.map((owner, index): Area => {
    const kind = index === 0 ? 'own' : 'outside'
    const manifest = manifests.get(owner)
    return manifest ? { uid: manifest.uid, name: manifest.name, path: manifest.path, kind } : { ...outside, kind }
  })
  const cards = [...rows.values()].map(row => cardOf(row, owners.indexOf(row.manifest_id)))
  const byId = new Map(cards.map(card => [card.id, card]))
  return {
    areas,
    cards: shown.flatMap(one => byId.get(one) ?? []),
    references,
    more: await hiddenNeighbours(db, organisationId, shown, references),
  }
}

async function idsAround(
  db: Db,
  organisationId: number,
  id: number,
  { steps, max }: { steps: number; max: number },
): Promise<number[]> {
  const reached = new Set([id])
  let frontier = [id]
  for (let step = 0; step < steps && frontier.length > 0; step++) {
    const next: number[] = []
    for (const end of ['to', 'from'] as const) {
      const room = max - reached.size
      if (room <= 0) break
      for (const one of await linked(db, organisationId, frontier, { end, except: [...reached], limit: room })) {
        reached.add(one)
        next.push(one)
      }
    }
    frontier = next
  }
  return [...reached]
}

/** Visible entities that the given ones refer to ('to'), or that refer to them ('from'). */
async function linked(
  db: Db,
  organisationId: number,
  ids: readonly number[],
  { end, except, limit }: { end: 'from' | 'to'; except: readonly number[]; limit: number },
): Promise<number[]> {
  const [far, near] = end === 'to' ? (['to_id', 'from_id'] as const) : (['from_id', 'to_id'] as const)
  const rows = await links(db, organisationId, far)
    .select('entity.id')
    .distinct()
    .where(`entity_reference.${near}`, 'in', ids)
    .where('entity.id', 'not in', except)
    .orderBy('entity.id')
    .limit(limit)
    .execute()
  return rows.map(row => row.id)
}

/** References by relationship with the visible entity at one end. */
function links(db: Db, organisationId: number, end: 'from_id' | 'to_id') {
  return db
    .selectFrom('entity_reference')
    .innerJoin('entity', 'entity.id', `entity_reference.${end}`)
    .where('entity_reference.organisation_id', 'in', [organisationId, 0])
    .where('entity.organisation_id', 'in', [organisationId, 0])
    .where('entity_reference.attribute_uid', '!=', '')
    .where('entity.import_id', '=', 0)
    .where('entity.manifest_id', 'not in', manifestsPendingDeletion(db, [organisationId]))
}

async function hiddenNeighbours(
  db: Db,
  organisationId: number,
  shown: readonly number[],
  references: readonly { from: number; to: number }[],
): Promise<number[]> {
  const included = new Set(shown)
  const targets = [...new Set(references.map(({ to }) => to).filter(to => !included.has(to)))]
  const existing = new Set((await cardRowsOf(db, organisationId, targets)).map(({ id }) => id))
  const hidden = new Map(shown.map(id => [id, new Set<number>()]))
  for (const { from, to } of references) if (existing.has(to)) hidden.get(from)?.add(to)
  // Counted by the store, because an entity may have very many referrers.
  const counts = await links(db, organisationId, 'from_id')
    .select(['entity_reference.to_id as id', query => query.fn.count<number>('entity.id').distinct().as('count')])
    .where('entity_reference.to_id', 'in', shown)
    .where('entity.id', 'not in', shown)
    .groupBy('entity_reference.to_id')
    .execute()
  const referrers = new Map(counts.map(({ id, count }) => [id, Number(count)]))
  const mutual = await rowsInBatches([...existing], idBatch, part =>
    links(db, organisationId, 'from_id')
      .select(['entity_reference.to_id as id', 'entity.id as other'])
      .distinct()
      .where('entity_reference.to_id', 'in', shown)
      .where('entity.id', 'in', part)
      .execute(),
  )
  return shown.map(id => {
    const own = hidden.get(id) ?? new Set()
    const both = mutual.filter(row => row.id === id && own.has(row.other)).length
    return own.size + (referrers.get(id) ?? 0) - both
  })
}
