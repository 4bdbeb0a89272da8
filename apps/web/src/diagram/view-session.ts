import {
  changedPlacements,
  changesOf,
  diagramLimits,
  inverseViewEdit,
  isSamePlacement,
  type DiagramDetail,
  type DiagramView,
  type PlacementChanges,
  type Placements,
  type ViewEdit,
} from '@cadmus/model/diagram/view'
import { isEqual } from '@cadmus/model/equal'
import type { DiagramViewChanged } from '../api/diagram.ts'
import type { DraftStep } from '../drafts/edit-draft.ts'

/** Changes on their way to the server, based on a revision. */
type Sent = {
  readonly operationId: string
  readonly base: number
  readonly changes: PlacementChanges
  readonly detail?: DiagramDetail
}

/** A step in the draft of an entity. It can be taken back only while it is the last one there. */
export type ModelStep = DraftStep

type DiagramStep = ViewEdit | ModelStep

/** An open view with the steps taken in it by this page: moves of cards, and changes of the model. */
export type ViewSession = {
  /** The last state received from the server. */
  readonly stored: DiagramView
  /** Whether steps are sent; else they stay in the page: a view that is not saved, or one that the user may only read. */
  readonly sends: boolean
  readonly done: readonly DiagramStep[]
  /** The last one is redone first. */
  readonly undone: readonly DiagramStep[]
  readonly sending: Sent | null
  readonly unsent: PlacementChanges
  readonly unsentDetail: DiagramDetail | undefined
  /** Cards placed by the page itself: a placement by someone else is better. */
  readonly automatic: ReadonlySet<string>
  /** The stored placements and detail with all changes applied. */
  readonly placements: Placements
  readonly detail: DiagramDetail
}

export function openView(stored: DiagramView, { sends }: { sends: boolean }): ViewSession {
  return {
    stored,
    sends,
    done: [],
    undone: [],
    sending: null,
    unsent: {},
    unsentDetail: undefined,
    automatic: new Set(),
    placements: stored.placements,
    detail: stored.detail,
  }
}

/** A view that is not stored. */
export function unstoredView(placements: Placements, name: string): DiagramView {
  return { uid: '', name, shared: false, detail: 'all', revision: 0, placements }
}

export function stepped(session: ViewSession, edit: ViewEdit): ViewSession {
  const changed = withChanges(session, changesOf(edit))
  return { ...changed, done: [...session.done, edit], undone: [] }
}

/** Shows more or less of each card, which is no step. */
export function detailedIn(session: ViewSession, detail: DiagramDetail): ViewSession {
  return { ...session, unsentDetail: detail, detail }
}

/** A step that was taken in a draft. */
export function modelStepped(session: ViewSession, step: ModelStep): ViewSession {
  return { ...session, done: [...session.done, step], undone: [] }
}

/** The cards that the steps of this page have moved, hidden or shown, by their uids. */
export function movedIn({ done }: ViewSession): string[] {
  return [...new Set(done.flatMap(step => (isModelStep(step) ? [] : Object.keys(step.changes))))]
}

/** The step that undo takes back; those that can no longer be taken back are passed over. */
export function nextUndo({ done }: ViewSession): DiagramStep | undefined {
  return done.findLast(canUndo)
}

export function nextRedo({ undone }: ViewSession): DiagramStep | undefined {
  return undone.findLast(canRedo)
}

/** `skipped`: cards that someone else has changed since, which stay. `model`: makes the change in the draft. */
type Turned = { session: ViewSession; skipped: readonly string[]; model?: () => void }

/** Takes back the last step. */
export function undoneIn(session: ViewSession): Turned {
  const index = session.done.findLastIndex(canUndo)
  const step = session.done[index]
  if (!step) return { session, skipped: [] }
  const next = { ...session, done: session.done.slice(0, index), undone: [...session.undone, step] }
  return isModelStep(step) ? { session: next, skipped: [], model: step.undo } : turned(next, inverseViewEdit(step))
}

export function redoneIn(session: ViewSession): Turned {
  const index = session.undone.findLastIndex(canRedo)
  const step = session.undone[index]
  if (!step) return { session, skipped: [] }
  const next = { ...session, done: [...session.done, step], undone: session.undone.slice(0, index) }
  return isModelStep(step) ? { session: next, skipped: [], model: step.redo } : turned(next, step)
}

function turned(session: ViewSession, edit: ViewEdit): Turned {
  const { changes, skipped } = applicable(session, edit)
  return { session: withChanges(session, changes), skipped }
}

function isModelStep(step: DiagramStep): step is ModelStep {
  return 'canUndo' in step
}

function canUndo(step: DiagramStep): boolean {
  return !isModelStep(step) || step.canUndo()
}

function canRedo(step: DiagramStep): boolean {
  return !isModelStep(step) || step.canRedo()
}

/** Places new cards, which is no step of the user. */
export function placedIn(session: ViewSession, placements: Placements): ViewSession {
  const automatic = new Set([...session.automatic, ...Object.keys(placements)])
  return { ...withChanges(session, placements), automatic }
}

export function canSend({ sends, sending, unsent, unsentDetail }: ViewSession): boolean {
  return sends && sending === null && (unsentDetail !== undefined || Object.keys(unsent).length > 0)
}

export function withSending(session: ViewSession, operationId: string): ViewSession {
  const all = Object.entries(session.unsent)
  const changes = Object.fromEntries(all.slice(0, diagramLimits.changes))
  const unsent = Object.fromEntries(all.slice(diagramLimits.changes))
  const { stored, unsentDetail: detail } = session
  const sending = { operationId, base: stored.revision, changes, ...(detail === undefined ? {} : { detail }) }
  return { ...session, sending, unsent, unsentDetail: undefined }
}

/** `refused`: cards that the user moved after someone else. */
export function answeredIn(
  session: ViewSession,
  { view, changes, refused }: DiagramViewChanged,
): { session: ViewSession; refused: string[] } {
  const { stored, sending } = session
  if (!sending) return { session, refused: [] }
  const theirs = Object.fromEntries(Object.entries(refused).map(([uid, { placement }]) => [uid, placement]))
  const own = overlaid(overlaid(stored.placements, changes), sending.changes)
  const next = {
    ...session,
    stored: { ...stored, ...view, placements: overlaid(own, theirs) },
    sending: null,
    automatic: new Set([...session.automatic].filter(uid => uid in session.unsent)),
  }
  return { session: current(next), refused: Object.keys(theirs).filter(uid => !session.automatic.has(uid)) }
}

/** Gives up the changes that the server has refused as a whole. */
export function refusedIn(session: ViewSession): ViewSession {
  return current({ ...session, sending: null })
}

/** A state read from the server. */
export function receivedIn(session: ViewSession, stored: DiagramView): ViewSession {
  if (stored.revision < session.stored.revision || isEqual(stored, session.stored)) return session
  const isTaken = (uid: string) => session.automatic.has(uid) && stored.placements[uid] !== undefined
  const unsent = Object.fromEntries(Object.entries(session.unsent).filter(([uid]) => !isTaken(uid)))
  return current({ ...session, stored, unsent })
}

/** A view that has been stored, with the steps taken since then. */
export function storedAs(session: ViewSession, stored: DiagramView): ViewSession {
  const all = Object.keys({ ...session.placements, ...stored.placements })
  const later = all.flatMap(uid => {
    const placement = session.placements[uid] ?? null
    return isSamePlacement(placement, stored.placements[uid] ?? null) ? [] : [[uid, placement] as const]
  })
  const unsentDetail = session.detail === stored.detail ? undefined : session.detail
  return current({ ...session, stored, sends: true, sending: null, unsent: Object.fromEntries(later), unsentDetail })
}

/** The same picture as a view that is not stored. */
export function copied({ stored, placements, detail }: ViewSession, name: string): ViewSession {
  return openView({ ...stored, uid: '', name, shared: false, revision: 0, placements, detail }, { sends: false })
}

function withChanges(session: ViewSession, changes: PlacementChanges): ViewSession {
  const automatic = new Set([...session.automatic].filter(uid => !(uid in changes)))
  const placements = overlaid(session.placements, changes)
  return { ...session, unsent: { ...session.unsent, ...changes }, automatic, placements }
}

function current(session: ViewSession): ViewSession {
  const { stored, sending, unsent, unsentDetail } = session
  const placements = overlaid(overlaid(stored.placements, sending?.changes ?? {}), unsent)
  return { ...session, placements, detail: unsentDetail ?? sending?.detail ?? stored.detail }
}

/** Copies only for changes: a view may have thousands of placements. */
function overlaid(placements: Placements, changes: PlacementChanges): Placements {
  return Object.keys(changes).length === 0 ? placements : changedPlacements(placements, changes)
}

/** What an edit would change where its cards are as it begins; `skipped`: the others. */
function applicable({ placements }: ViewSession, edit: ViewEdit) {
  const entries = Object.entries(edit.changes)
  const skipped = entries.flatMap(([uid, { before }]) =>
    isSamePlacement(placements[uid] ?? null, before) ? [] : [uid],
  )
  const others = new Set(skipped)
  const changes = entries.flatMap(([uid, { after }]) => (others.has(uid) ? [] : [[uid, after] as const]))
  return { changes: Object.fromEntries(changes), skipped }
}
