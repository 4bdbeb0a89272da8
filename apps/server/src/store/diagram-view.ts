import { sql } from 'kysely'
import type { Placement, Placements, StoredPlacement } from '@cadmus/model/diagram/view'
import { foldName } from '@cadmus/model/paths'
import { yieldToEventLoop } from '../event-loop.ts'
import type { Actor } from './audit.ts'
import type { Db } from './database.ts'
import { type Clock, fromNow, idBatch, inBatches, rowsInBatches, storable } from './statements.ts'
import type { Tables } from './tables.ts'

export type ViewRow = Tables['diagram_view']
export type OperationRow = Omit<Tables['diagram_operation'], 'at'>

/** Milliseconds to recognise repeated operations; longer than any request can be delayed. */
const retention = 24 * 60 * 60_000
const rowsPerStatement = 500

/** The shared views of a manifest, oldest first, then the user's own. Without a user: shared ones. */
export async function viewsOfManifest(
  db: Db,
  organisationId: number,
  manifestId: number,
  userId?: string,
): Promise<ViewRow[]> {
  return db
    .selectFrom('diagram_view')
    .selectAll()
    .where('organisation_id', '=', organisationId)
    .where('manifest_id', '=', manifestId)
    .where('user_id', 'in', ['', userId ?? ''])
    .orderBy('user_id')
    .orderBy('uid')
    .execute()
}

/** Locks a view until the transaction ends. Undefined for one of another manifest or user. */
export async function lockView(
  tx: Db,
  organisationId: number,
  { manifestId, uid, userId }: { manifestId: number; uid: string; userId: string },
): Promise<ViewRow | undefined> {
  return tx
    .updateTable('diagram_view')
    .set({ name: sql<string>`name` })
    .where('organisation_id', '=', organisationId)
    .where('manifest_id', '=', manifestId)
    .where('uid', '=', storable(uid))
    .where('user_id', 'in', ['', userId])
    .returningAll()
    .executeTakeFirst()
}

/** Locks the views of a manifest until the transaction ends: waits for changes under way. */
export async function lockViewsOfManifest(tx: Db, organisationId: number, manifestId: number): Promise<void> {
  await tx
    .updateTable('diagram_view')
    .set({ name: sql<string>`name` })
    .where('organisation_id', '=', organisationId)
    .where('manifest_id', '=', manifestId)
    .execute()
}

export async function insertView(tx: Db, row: Omit<ViewRow, 'name_folded'>): Promise<void> {
  await tx
    .insertInto('diagram_view')
    .values({ ...row, name_folded: foldName(row.name) })
    .execute()
}

export async function updateView(
  tx: Db,
  { organisation_id: organisationId, uid, name, detail, revision }: ViewRow,
): Promise<void> {
  await tx
    .updateTable('diagram_view')
    .set({ name, name_folded: foldName(name), detail, revision })
    .where('organisation_id', '=', organisationId)
    .where('uid', '=', uid)
    .execute()
}

/** Deletes views with their placements: the views first, which waits for changes under way. */
async function deleteViews(tx: Db, organisationId: number, uids: readonly string[]): Promise<void> {
  for (const part of inBatches(uids, idBatch)) {
    await tx.deleteFrom('diagram_view').where('organisation_id', '=', organisationId).where('uid', 'in', part).execute()
    await tx
      .deleteFrom('diagram_placement')
      .where('organisation_id', '=', organisationId)
      .where('view_uid', 'in', part)
      .execute()
  }
}

export async function deleteView(tx: Db, { organisation_id: organisationId, uid }: ViewRow): Promise<void> {
  await deleteViews(tx, organisationId, [uid])
}

/** Deletes the views of a manifest, those of all users included. */
export async function deleteViewsOfManifest(tx: Db, organisationId: number, manifestId: number): Promise<void> {
  const views = await tx
    .selectFrom('diagram_view')
    .select('uid')
    .where('organisation_id', '=', organisationId)
    .where('manifest_id', '=', manifestId)
    .execute()
  await deleteViews(
    tx,
    organisationId,
    views.map(({ uid }) => uid),
  )
}

type View = Pick<ViewRow, 'organisation_id' | 'uid'>

function placementRows(db: Db, { organisation_id: organisationId, uid }: View) {
  return db.selectFrom('diagram_placement').where('organisation_id', '=', organisationId).where('view_uid', '=', uid)
}

export async function placementsOf(db: Db, view: View): Promise<Placements> {
  const placed = await placementsSince(db, view, 0)
  return Object.fromEntries([...placed].flatMap(([uid, placement]) => (placement ? [[uid, placement] as const] : [])))
}

/** A placement as stored, with the last change. */
export type PlacementState = StoredPlacement & { userName: string; at: string }

/** The placements of these entities, also removed ones. */
export async function placementStates(
  db: Db,
  view: View,
  entityUids: readonly string[],
): Promise<Map<string, PlacementState>> {
  const rows = await rowsInBatches(entityUids, idBatch, part =>
    placementRows(db, view).selectAll().where('entity_uid', 'in', part).execute(),
  )
  return new Map(rows.map(row => [row.entity_uid, stateIn(row)]))
}

/** What has changed since a revision, also removed placements. */
export async function placementsSince(db: Db, view: View, revision: number): Promise<Map<string, Placement | null>> {
  const rows = await placementRows(db, view)
    .select(['entity_uid', 'x', 'y', 'hidden'])
    .where('revision', '>', revision)
    .orderBy('entity_uid')
    .execute()
  return new Map(rows.map(row => [row.entity_uid, placementIn(row)]))
}

export async function countPlacements(db: Db, view: View): Promise<number> {
  const { count } = await placementRows(db, view)
    .select(query => query.fn.countAll<number>().as('count'))
    .where('x', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Deletes the removed placements before the last `max` ones, which bounds what a view can store. */
export async function deleteOldRemovals(tx: Db, view: View, max: number): Promise<void> {
  const newest = await placementRows(tx, view)
    .select('revision')
    .where('x', 'is', null)
    .orderBy('revision', 'desc')
    .offset(max)
    .limit(1)
    .executeTakeFirst()
  if (newest === undefined) return
  await tx
    .deleteFrom('diagram_placement')
    .where('organisation_id', '=', view.organisation_id)
    .where('view_uid', '=', view.uid)
    .where('x', 'is', null)
    .where('revision', '<=', newest.revision)
    .execute()
}

/** Removed placements stay as rows, so that later changes based on a former revision find them. */
export async function putPlacements(
  tx: Db,
  view: View & Pick<ViewRow, 'revision'>,
  placements: ReadonlyMap<string, Placement | null>,
  actor: Actor,
): Promise<void> {
  const last = {
    revision: view.revision,
    user_id: actor.userId,
    user_name: storable(actor.userName),
    at: new Date().toISOString(),
  }
  const rows = Array.from(placements, ([uid, placement]) => ({
    organisation_id: view.organisation_id,
    view_uid: view.uid,
    entity_uid: uid,
    x: placement?.x ?? null,
    y: placement?.y ?? null,
    hidden: placement?.hidden ? 1 : 0,
    ...last,
  }))
  for (const part of inBatches(rows, rowsPerStatement)) {
    await yieldToEventLoop()
    await tx
      .insertInto('diagram_placement')
      .values(part)
      .onConflict(conflict =>
        conflict.columns(['organisation_id', 'view_uid', 'entity_uid']).doUpdateSet(set => ({
          x: set.ref('excluded.x'),
          y: set.ref('excluded.y'),
          hidden: set.ref('excluded.hidden'),
          revision: set.ref('excluded.revision'),
          user_id: set.ref('excluded.user_id'),
          user_name: set.ref('excluded.user_name'),
          at: set.ref('excluded.at'),
        })),
      )
      .execute()
  }
}

type Columns = Pick<Tables['diagram_placement'], 'x' | 'y' | 'hidden'>

function placementIn({ x, y, hidden }: Columns): Placement | null {
  return x === null || y === null ? null : { x, y, hidden: hidden === 1 }
}

function stateIn(row: Tables['diagram_placement']): PlacementState {
  const { revision, user_id: userId, user_name: userName, at } = row
  return { placement: placementIn(row), revision, userId, userName, at }
}

/** The stored operation with this id; undefined for a new one. */
export async function viewOperation(
  db: Db,
  organisationId: number,
  operationId: string,
): Promise<OperationRow | undefined> {
  return db
    .selectFrom('diagram_operation')
    .selectAll()
    .where('organisation_id', '=', organisationId)
    .where('operation_id', '=', operationId)
    .executeTakeFirst()
}

export async function insertOperation(tx: Db, row: OperationRow, clock: Clock): Promise<void> {
  await tx
    .insertInto('diagram_operation')
    .values({ ...row, at: clock })
    .execute()
}

/** Deletes operations so old that no repeated request can still arrive. */
export async function deleteOldViewOperations(db: Db, organisationId: number, clock: Clock): Promise<void> {
  await db
    .deleteFrom('diagram_operation')
    .where('organisation_id', '=', organisationId)
    .where('at', '<=', fromNow(clock, -retention))
    .execute()
}
