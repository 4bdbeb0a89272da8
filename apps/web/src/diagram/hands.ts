import type { Point } from '@cadmus/diagram/geometry'
import type { Camera, DiagramActions, Hit, Picture } from './diagram.ts'

/** What the canvas of a diagram acts on. */
export type DiagramProps = {
  /** Name of what is shown, as in "Diagram of Clinic". */
  label: string
  picture: Picture
  actions: DiagramActions
  /** Why no relationship can be drawn, as in an old version; null if it can. */
  locked: string | null
}

/** A relationship that is being drawn. */
export type Relating = {
  from: number
  /** Row of the attribute that becomes the foreign key; undefined: a new one. */
  row: number | undefined
  /** The card to refer to; null: none, or a new entity. */
  over: number | null
  /** The pointer; null while keys choose the card. */
  at: Point | null
}

/** The part of the diagram's engine that hands use; `DiagramEngine` fits. Points are pixels from the canvas' corner. */
export type HandsView = {
  readonly camera: Camera
  look: (camera: Camera) => void
  zoomTo: (zoom: number, around?: Point) => void
  fit: () => void
  reveal: (card: number) => void
  hit: (point: Point) => Hit
  toWorld: (point: Point) => Point
  toScreen: (point: Point) => Point
  lift: (cards: readonly number[]) => void
  /** World pixels from where the cards were lifted. */
  carry: (by: Point) => void
  drop: () => void
  /** Corners of a rubber rectangle in world pixels; null: none. */
  band: (corners: { from: Point; to: Point } | null) => void
  /** Shows the handles of a card. */
  hover: (card: number | null) => void
  draft: (line: { from: number; row: number | undefined; to: Point | number } | null) => void
}
