import type { Hidden, Marks, Places, Row, Scene } from '@cadmus/diagram/scene'
import type { DiagramDetail } from '@cadmus/model/diagram/view'

/** The world point in the middle of the canvas, and screen pixels for each world pixel. */
export type Camera = { x: number; y: number; zoom: number }

/** Everything that the canvas shows. A new value is compared with the last one, and only what differs is painted again. */
export type Picture = Marks & {
  scene: Scene
  places: Places
  hidden: Hidden
  detail: DiagramDetail
  chosen: ReadonlySet<number>
  /** The card that keys act on. */
  focused: number | null
  /** Links drawn in the accent: those of a way between two entities. */
  way: ReadonlySet<number>
  /** Hidden neighbours of a card, shown as `+7`. */
  hiddenNeighbours: ReadonlyMap<number, number>
  /** Undefined until loaded: the card then shows bars. */
  rows: (card: number) => readonly Row[] | undefined
}

/** What lies under a point of the canvas. `row` is undefined on the head of a card. */
export type Hit =
  | { kind: 'card'; card: number; row: number | undefined }
  /** The handle from which a relationship is drawn. */
  | { kind: 'handle'; card: number; row: number | undefined }
  | { kind: 'port'; card: number }
  | { kind: 'link'; link: number }
  | { kind: 'ground' }

/** One open diagram. Its canvas, list and toolbar read the picture and act by these; no one else changes it. */
export type DiagramActions = {
  choose: (cards: Iterable<number>, mode: 'replace' | 'add' | 'toggle') => void
  focus: (card: number | null) => void
  /** One undoable step. */
  move: (moved: ReadonlyMap<number, { x: number; y: number }>, label: string) => void
  align: (edge: 'left' | 'middle' | 'right' | 'top' | 'centre' | 'bottom') => void
  distribute: (direction: 'across' | 'down') => void
  arrange: (scope: 'choice' | 'area' | 'all') => Promise<void>
  setHidden: (cards: Iterable<number>, hidden: boolean) => void
  undo: () => void
  redo: () => void
  open: (card: number, beside?: boolean) => void
  /** Hides everything but a card and what is up to `steps` links away. */
  showNeighbourhood: (card: number, steps: 1 | 2 | 3) => void
  showAll: () => void
  showWay: (from: number, to: number) => void
  /** Adds a relationship to the entity's draft; `target` null offers a new entity. */
  relate: (from: number, target: number | null, options?: RelateOptions) => void
}

/** `attribute`: uid of the row that becomes the foreign key. `at`: the place of a new entity in world pixels. */
export type RelateOptions = { attribute?: string | undefined; at?: { x: number; y: number } | undefined }
