import type { CardRow } from '@cadmus/model/diagram/card-rows'

/**
 * What a diagram shows, in columns: a card is an index, a link likewise. Replaced as a whole when the model changes; places are
 * held apart (`Places`), because they change while cards are dragged.
 */
export type Scene = {
  readonly count: number
  readonly uids: readonly string[]
  readonly names: readonly string[]
  /** Index into `areaNames` of each card. */
  readonly areas: Int32Array
  /** The manifest itself, its sub-manifests, and what lies outside of them. */
  readonly areaNames: readonly string[]
  /** Rows drawn on each card, after `detail`: the key first, then foreign keys, then attributes. */
  readonly rowCounts: Int32Array
  readonly links: Links
}

export type Links = {
  readonly count: number
  readonly uids: readonly string[]
  /** Cards: the one with the foreign key, and the one referred to. */
  readonly from: Int32Array
  readonly to: Int32Array
  /** Row of the foreign key on its card; -1 where it is not drawn. */
  readonly row: Int32Array
  /** Bits of `linkEnds`. */
  readonly ends: Uint8Array
}

export { linkEndBits as linkEnds } from '@cadmus/model/diagram/card-rows'

/** A row of a card as text. Rows of distant cards are not loaded. */
export type Row = CardRow & { readonly mark?: Difference | undefined }

/** Left upper corners of the cards. */
export type Places = { readonly x: Float32Array; readonly y: Float32Array }

/** Which cards are not shown; their links are not either. */
export type Hidden = ReadonlySet<number>

/** How something differs between two states of a model. */
export const differences = ['added', 'removed', 'changed'] as const
export type Difference = (typeof differences)[number]

/** Why a card is coloured; each has a sign of its own as well, so that colour never says it alone. */
export type Mark = Difference | 'problem' | 'unsaved'

/** The marks of cards, and of links between two states of a model. */
export type Marks = {
  readonly marks: ReadonlyMap<number, Mark>
  readonly linkMarks: ReadonlyMap<number, Difference>
}
