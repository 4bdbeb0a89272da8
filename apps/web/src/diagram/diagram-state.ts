import type { Places, Scene } from '@cadmus/diagram/scene'
import type { Way } from '@cadmus/diagram/ways'
import type { DiagramView, Placements } from '@cadmus/model/diagram/view'
import type { Moves } from './align.ts'
import type { Picture } from './diagram.ts'
import type { SendChange } from './open-views.ts'
import type { ReadRows } from './rows-of-cards.ts'
import type { Cards, DiagramData } from './scene-of.ts'
import type { ModelStep, ViewSession } from './view-session.ts'

/** Ways between two cards; `shown`: index of the one in the picture. */
export type Ways = { from: number; to: number; ways: readonly Way[]; shown: number }

/** Other places, which are shown and taken over only when the user says so. */
type Preview = { moved: Moves; label: string }

export type DiagramState = {
  cards: Cards
  session: ViewSession
  picture: Picture
  preview: Preview | null
  ways: Ways | null
  /** Whether entities with problems are marked. */
  marksProblems: boolean
  /** Whether the first places are being computed. */
  isArranging: boolean
  /** Whether a view is shown that is not stored, made from another. */
  isTemporary: boolean
  /** Whether steps have not reached the server. */
  isWaiting: boolean
  /** Grows with each view that is shown: then the camera is set anew. */
  shows: number
  /** The cards that were looked for last; a new value moves the camera. */
  looked: readonly number[]
}

export type DiagramOptions = {
  data: DiagramData
  send: SendChange
  readRows: ReadRows
  layout: (scene: Scene, signal: AbortSignal) => Promise<Places>
  /** Stores the first placements as a shared view. Undefined: they stay in the page. */
  storeFirst: ((placements: Placements) => Promise<DiagramView>) | undefined
  /** Ids of the entities with problems. Undefined: they cannot be marked. */
  readProblems?: (() => Promise<ReadonlySet<number>>) | undefined
  /** Whether views stay in the page, where anyone may change them. */
  isLocal?: boolean
  /** Opens what a card stands for; undefined: the entity. */
  open?: ((uid: string) => void) | undefined
  /** Adds a relationship to the draft of an entity; null: it cannot, and a notice gives the reason. */
  relate: (from: Entity, target: Entity, attribute: string | undefined) => Promise<ModelStep | null>
  /** Opens the dialog of a new entity; `onClosed` is called after it. */
  addEntity: (onClosed: () => void) => void
}

export type Entity = { id: number; name: string }

/** A new entity that is being made: where it is placed, and which entity will refer to it. */
export type AwaitedEntity = { from: string; at: { x: number; y: number } | undefined }
