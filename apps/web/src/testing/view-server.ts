import {
  changedPlacements,
  mergePlacements,
  type DiagramDetail,
  type DiagramView,
  type Placement,
  type PlacementChanges,
  type Placements,
  type StoredPlacement,
} from '@cadmus/model/diagram/view'
import type { DiagramViewChange, DiagramViewChanged } from '../api/diagram.ts'

/** A stored view as the server keeps it, changed by several people. */
export class ViewServer {
  readonly #stored = new Map<string, StoredPlacement>()
  readonly #answers = new Map<string, DiagramViewChanged>()
  #revision = 1
  #name = 'Overview'
  #detail: DiagramDetail = 'all'
  /** Changes received, without repeated ones. */
  received: PlacementChanges[] = []

  constructor(placements: Placements = {}) {
    for (const [uid, placement] of Object.entries(placements))
      this.#stored.set(uid, { placement, revision: 1, userId: '' })
  }

  get view(): DiagramView {
    const placed = [...this.#stored].flatMap(([uid, { placement }]) => (placement ? [[uid, placement] as const] : []))
    const placements = Object.fromEntries(placed)
    return { uid: 'view', name: this.#name, shared: true, detail: this.#detail, revision: this.#revision, placements }
  }

  change(userId: string, { operationId, base, changes = {}, detail }: DiagramViewChange): DiagramViewChanged {
    const known = this.#answers.get(operationId)
    if (known) return known
    const others = [...this.#stored].filter(([, { revision }]) => revision > base)
    const { applied, refused } = mergePlacements(this.#stored, changes, { base, userId })
    this.#revision += 1
    this.#detail = detail ?? this.#detail
    for (const [uid, placement] of applied) this.#stored.set(uid, { placement, revision: this.#revision, userId })
    this.received.push(changedPlacements({}, Object.fromEntries(applied)))
    const { placements: _, ...view } = this.view
    const answer: DiagramViewChanged = {
      view,
      changes: Object.fromEntries(others.map(([uid, { placement }]) => [uid, placement])),
      refused: Object.fromEntries(
        refused.map(uid => {
          const { placement, userId: by } = this.#stored.get(uid)!
          return [uid, { placement, by, at: '2026-11-29T08:00:00.000Z' }]
        }),
      ),
    }
    this.#answers.set(operationId, answer)
    return answer
  }
}

export function at(x: number, y = 0, hidden = false): Placement {
  return { x, y, hidden }
}
