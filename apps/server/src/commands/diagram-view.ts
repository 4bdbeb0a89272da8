import type { changeDiagramView, createDiagramView, DiagramViewSummary } from '@cadmus/model/contract/diagram'
import type { CallAnswer, HandlerInput } from '@cadmus/model/contract/call'
import { diagramLimits, mergePlacements, type Placement, viewName } from '@cadmus/model/diagram/view'
import { mayEditManifest } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { storedViewTexts } from '@cadmus/model/messages/diagram'
import { takenNames } from '@cadmus/model/rules/names'
import { newUid } from '@cadmus/model/uid'
import { ApiError, conflict, invalid, notFound } from '../errors/api-error.ts'
import type { Db, Tx } from '../store/database.ts'
import {
  countPlacements,
  deleteOldRemovals,
  deleteView,
  insertOperation,
  insertView,
  lockView,
  placementsSince,
  placementStates,
  putPlacements,
  updateView,
  viewOperation,
  type ViewRow,
  viewsOfManifest,
} from '../store/diagram-view.ts'
import { comparable } from '../store/statements.ts'
import { type Change, transact } from './change.ts'
import { lockedManifest, requireManifest } from './manifest/manifest-permission.ts'

// Views are no part of the model: they have no lock and no audit entry. A shared one requires the right to edit the manifest, which
// each change checks again; a personal one only that the user can read it.

type Creation = Omit<HandlerInput<typeof createDiagramView>['body'], 'operationId'>
type ViewChange = Omit<HandlerInput<typeof changeDiagramView>['body'], 'operationId'>
type Changed = CallAnswer<typeof changeDiagramView>
type Place = { manifestId: number; uid: string }

export async function createView(change: Change, manifestId: number, body: Creation): Promise<DiagramViewSummary> {
  const { organisationId, actor } = change
  const { shared, detail } = body
  const placements = new Map(Object.entries(body.placements))
  checkUids(placements)
  return transactOnce(change, async (tx, before) => {
    // Locked, so that a view cannot outlast its manifest.
    await lockedManifest(tx, organisationId, manifestId, shared ? mayEditManifest : anyone)
    const userId = shared ? '' : actor.userId
    const views = await viewsOfManifest(tx, organisationId, manifestId, actor.userId)
    const stored = before && views.find(({ uid }) => uid === before.view_uid)
    if (before && !stored) throw notFound('The view')
    if (stored) return { answer: summaryOf(stored), view: stored, refused: [] }
    const others = views.filter(view => view.user_id === userId)
    const name = checkedName(body.name, others)
    if (others.length >= diagramLimits.views) throw conflict(storedViewTexts.tooManyViews(diagramLimits.views))
    const view = {
      organisation_id: organisationId,
      uid: newUid(),
      manifest_id: manifestId,
      user_id: userId,
      name,
      name_folded: '',
      detail,
      revision: 1,
    }
    await insertView(tx, view)
    await putPlacements(tx, view, placements, actor)
    return { answer: summaryOf(view), view, refused: [] }
  })
}

/** Merges the changes card by card with those of others since their base. */
export async function changeView(change: Change, place: Place, body: ViewChange): Promise<Changed> {
  const { organisationId, actor } = change
  checkUids(new Map(Object.entries(body.changes)))
  return transactOnce(change, async (tx, before) => {
    const view = await lockedView(tx, change, place)
    if (before) {
      const refused: unknown = JSON.parse(before.refused)
      const changed = { view, base: body.base, refused: Array.isArray(refused) ? refused.map(String) : [] }
      return { answer: await answerOf(tx, changed, new Map()), view, refused: [] }
    }
    // It would never find the changes of others later than itself.
    if (body.base > view.revision)
      throw invalid(storedViewTexts.unknownRevision, [{ path: 'base', message: storedViewTexts.unknownRevision }])
    const stored = await placementStates(tx, view, Object.keys(body.changes))
    const { applied, refused } = mergePlacements(stored, body.changes, { base: body.base, userId: actor.userId })
    const next = { ...view, ...(await changedFields(tx, organisationId, view, body)) }
    const isChanged = applied.size > 0 || next.name !== view.name || next.detail !== view.detail
    if (isChanged) {
      next.revision = view.revision + 1
      await putPlacements(tx, next, applied, actor)
      const isLarger = [...applied].some(([uid, placement]) => placement && !stored.get(uid)?.placement)
      if (isLarger) await checkSize(tx, view)
      const hasRemovals = applied.values().some(placement => placement === null)
      if (hasRemovals) await deleteOldRemovals(tx, view, diagramLimits.placements)
      await updateView(tx, next)
    }
    return { answer: await answerOf(tx, { view: next, base: body.base, refused }, applied), view, refused }
  })
}

export async function removeView(change: Change, place: Place): Promise<void> {
  await transact(change, 0, async tx => deleteView(tx, await lockedView(tx, change, place)))
}

async function checkSize(tx: Tx, view: ViewRow): Promise<void> {
  const { placements: max } = diagramLimits
  if ((await countPlacements(tx, view)) <= max) return
  const message = storedViewTexts.tooManyPlacements(max)
  throw invalid(message, [{ path: 'changes', message }])
}

/** 404 for a view of another manifest or user, 403 for a shared one without the right to edit the manifest. */
async function lockedView(tx: Tx, { organisationId, actor }: Change, place: Place): Promise<ViewRow> {
  const view = await lockView(tx, organisationId, { ...place, userId: actor.userId })
  if (view === undefined) throw notFound('The view')
  await requireManifest(tx, organisationId, place.manifestId, isShared(view) ? mayEditManifest : anyone)
  return view
}

function anyone(): { allowed: true } {
  return { allowed: true }
}

async function changedFields(
  tx: Tx,
  organisationId: number,
  view: ViewRow,
  { name = view.name, detail = view.detail }: ViewChange,
): Promise<Pick<ViewRow, 'name' | 'detail'>> {
  if (name === view.name) return { name, detail }
  const others = await viewsOfManifest(tx, organisationId, view.manifest_id, view.user_id)
  const beside = others.filter(other => other.user_id === view.user_id && other.uid !== view.uid)
  return { name: checkedName(name, beside), detail }
}

function checkedName(text: string, others: readonly ViewRow[]): string {
  const name = text.trim()
  const taken = takenNames(others.map(view => view.name))
  const problem = viewName(name, new Set())
  if (problem !== undefined) throw invalid(problem, [{ path: 'name', message: problem }])
  const conflicting = viewName(name, taken)
  if (conflicting !== undefined) throw conflict(conflicting)
  return name
}

/** Uids that no database can store belong to no entity. */
function checkUids(changes: ReadonlyMap<string, unknown>): void {
  const valid = new Set(comparable(changes.keys()))
  const errors = [...changes.keys()].filter(uid => !valid.has(uid)).map(path => ({ path, message: 'Invalid uid.' }))
  if (errors.length > 0) throw invalid('Invalid uid.', errors.slice(0, 10))
}

export function summaryOf(view: ViewRow): DiagramViewSummary {
  const { uid, name, detail, revision } = view
  return { uid, name, shared: isShared(view), detail, revision }
}

function isShared({ user_id: userId }: ViewRow): boolean {
  return userId === ''
}

type AnsweredChange = { view: ViewRow; base: number; refused: readonly string[] }

/** What others changed since the base, and the stored placements of refused cards. */
async function answerOf(
  db: Db,
  { view, base, refused }: AnsweredChange,
  applied: ReadonlyMap<string, Placement | null>,
): Promise<Changed> {
  const states = await placementStates(db, view, refused)
  const changes = await placementsSince(db, view, base)
  for (const uid of [...applied.keys(), ...refused]) changes.delete(uid)
  const refusals = Array.from(states, ([uid, { placement, userName: by, at }]) => [uid, { placement, by, at }] as const)
  return {
    view: summaryOf(view),
    changes: Object.fromEntries(changes),
    refused: Object.fromEntries(refusals),
  }
}

type Operation = { view_uid: string; refused: string }
type Done<T> = { answer: T; view: ViewRow; refused: readonly string[] }

/** Runs a transaction once for its operation id. `before`: the operation that a repeated request has stored. */
async function transactOnce<T>(
  { operationId = '', requestDigests = [], ...change }: Change,
  run: (tx: Tx, before: Operation | undefined) => Promise<Done<T>>,
): Promise<T> {
  const { store, organisationId, actor } = change
  const attempt = () =>
    transact(change, 0, async tx => {
      const before = await viewOperation(tx, organisationId, operationId)
      if (before && (before.user_id !== actor.userId || !requestDigests.includes(before.digest)))
        throw new ApiError(409, 'operation_reused', messages.operationReused)
      const { answer, view, refused } = await run(tx, before)
      if (before === undefined) {
        const row = {
          organisation_id: organisationId,
          operation_id: operationId,
          view_uid: view.uid,
          user_id: actor.userId,
          digest: requestDigests[0] ?? '',
          refused: JSON.stringify(refused),
        }
        await insertOperation(tx, row, store.clock)
      }
      return answer
    })
  try {
    return await attempt()
  } catch (error) {
    // The same request, sent twice at once, may have made this one fail.
    if (!(error instanceof ApiError) || !(await viewOperation(store.of(organisationId), organisationId, operationId)))
      throw error
    return attempt()
  }
}
