import { storedViewTexts } from '../messages/diagram.ts'
import { allProblems, boundedText, hiddenCharacters, isTaken, type TakenNames } from '../rules/names.ts'

/** How much of an entity a card shows. */
export const diagramDetails = ['names', 'keys', 'all'] as const
export type DiagramDetail = (typeof diagramDetails)[number]

/** Left upper corner of an entity's card in world pixels (integers), and whether it is hidden in this view. */
export type Placement = { x: number; y: number; hidden: boolean }

/** By the uid of the entity; absent: never placed. */
export type Placements = Readonly<Record<string, Placement>>

/**
 * A view of a diagram: no part of the model, so it has no lock and no audit entry. Shared views belong to the manifest and
 * are copied into its versions; personal ones belong to a user.
 */
export type DiagramView = {
  uid: string
  name: string
  shared: boolean
  detail: DiagramDetail
  /** Grows with each change; changes are merged card by card. */
  revision: number
  placements: Placements
}

/** One undoable step in a view: what each card was and becomes; null: not placed. */
export type ViewEdit = {
  label: string
  changes: Readonly<Record<string, { before: Placement | null; after: Placement | null }>>
}

/** null: the card is not placed. */
export type PlacementChanges = Readonly<Record<string, Placement | null>>

/** The placements after changes; a new value, so that both can be compared. */
export function changedPlacements(placements: Placements, changes: PlacementChanges): Placements {
  const after = new Map(Object.entries(placements))
  for (const [uid, placement] of Object.entries(changes)) {
    if (placement === null) after.delete(uid)
    else after.set(uid, placement)
  }
  return Object.fromEntries(after)
}

/** The edit from the placements to the changes; null if nothing differs. */
export function viewEdit(label: string, placements: Placements, changes: PlacementChanges): ViewEdit | null {
  const differing = Object.entries(changes)
    .map(([uid, after]) => [uid, { before: placementOf(placements, uid), after }] as const)
    .filter(([, { before, after }]) => !isSamePlacement(before, after))
  return differing.length === 0 ? null : { label, changes: Object.fromEntries(differing) }
}

/** What an edit sets. */
export function changesOf({ changes }: ViewEdit): PlacementChanges {
  return Object.fromEntries(Object.entries(changes).map(([uid, { after }]) => [uid, after]))
}

/** The edit that takes this one back. */
export function inverseViewEdit({ label, changes }: ViewEdit): ViewEdit {
  const inverted = Object.entries(changes).map(([uid, { before, after }]) => [uid, { before: after, after: before }])
  return { label, changes: Object.fromEntries(inverted) }
}

/** A card's placement as stored, with the revision of the view at which it was set and the user who set it. */
export type StoredPlacement = { placement: Placement | null; revision: number; userId: string }

/**
 * Merges changes card by card: those of cards that another user has changed after revision `base` are refused. Changes to the
 * stored placement are neither applied nor refused.
 */
export function mergePlacements(
  stored: ReadonlyMap<string, StoredPlacement>,
  changes: PlacementChanges,
  { base, userId }: { base: number; userId: string },
): { applied: ReadonlyMap<string, Placement | null>; refused: readonly string[] } {
  const applied = new Map<string, Placement | null>()
  const refused: string[] = []
  for (const [uid, placement] of Object.entries(changes)) {
    const existing = stored.get(uid)
    if (isSamePlacement(existing?.placement ?? null, placement)) continue
    if (existing && existing.revision > base && existing.userId !== userId) refused.push(uid)
    else applied.set(uid, placement)
  }
  return { applied, refused }
}

export function isSamePlacement(a: Placement | null, b: Placement | null): boolean {
  if (a === null || b === null) return a === b
  return a.x === b.x && a.y === b.y && a.hidden === b.hidden
}

function placementOf(placements: Placements, uid: string): Placement | null {
  return Object.hasOwn(placements, uid) ? (placements[uid] ?? null) : null
}

/** `taken`: the names of the other views beside it. */
export function viewName(value: string, taken: TakenNames): string | undefined {
  const problem = allProblems(boundedText(value, diagramLimits.viewName), hiddenCharacters(value))
  return problem ?? (isTaken(value, taken) ? storedViewTexts.exists(value) : undefined)
}

export const diagramLimits = {
  /** Characters of a view's name. */
  viewName: { min: 1, max: 100 },
  /** Shared views of a manifest, and personal ones of a user for it. */
  views: 50,
  /** Placements of a view, and changes that one request can carry. */
  placements: 20_000,
  changes: 10_000,
  /** World pixels from the origin. */
  coordinate: 10_000_000,
  /** Rows of a card; the last one says how many more there are. */
  rowsOfCard: 50,
  /** Entities whose rows one request can read. */
  rowsAtOnce: 200,
  /** Cards of an entity's neighbourhood. */
  neighbourhood: 200,
} as const
