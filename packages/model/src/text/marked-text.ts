import type { Column } from '../columns.ts'
import type { EntityEdit } from '../edits/entity-edits.ts'
import type { EntityContent } from '../entity.ts'
import type { Enumeration } from '../enumeration.ts'

// The text of a model: what it shows, and what reading it means.

/** Identity of a name in the text: `from` to `to` is its name, quotes included. */
export type Mark = {
  from: number
  to: number
  kind: 'entity' | 'attribute' | 'relationship' | 'enumeration'
  uid: string
}
/** Marks in the order of the text. */
export type MarkedText = { text: string; marks: readonly Mark[] }

/** An entity of the text in its present state, unsaved edits included. */
export type TextEntity = {
  id: number
  /** Its path, as references to it have it. */
  path: string
  content: EntityContent
  /** False: locked, shared or predefined. It is shown; a change of it is a problem. */
  isEditable: boolean
  /** Name of its own or inherited primary key; null without one. */
  primaryKey: string | null
}

/** An entity that references may name, without a table of its own. `uid` is empty where it is unknown. */
export type OtherEntity = { id: number; uid: string; name: string; path: string; primaryKey: string | null }

export type TextModel = {
  /** Name and description of the manifest; null for the text of one entity. */
  project: { name: string; description: string } | null
  entities: readonly TextEntity[]
  /** Targets of relationships that are not in `entities`. */
  others: readonly OtherEntity[]
  /** Those of the manifest, which only the text of a manifest shows and changes. */
  enumerations?: readonly Enumeration[]
  /** Columns that the text has lost, by uid: a line that comes back with its mark has what the text does not show, too. */
  removed?: ReadonlyMap<string, Column>
}

export type TextProblem = { from: number; to: number; message: string }

/** A name whose identity the text does not settle. Edits take it as new until it is answered. */
export type Doubt = { from: number; to: number; name: string; candidates: readonly { uid: string; name: string }[] }

/** Chosen uids by offset of the name (`Doubt.from`); null: new. */
export type Answers = ReadonlyMap<number, string | null>

export type TextReading = {
  /** Faults and broken rules in the order of the text. With any of them nothing is to be applied. */
  problems: readonly TextProblem[]
  doubts: readonly Doubt[]
  /** Edits by id of the entity. A column that moved to another entity keeps its uid: removed in one, added in the other. */
  edits: ReadonlyMap<number, readonly EntityEdit[]>
  /** New entities. Of a relationship between two of them, `associatedEntity` has the id -1 and the uid of the target. */
  added: readonly EntityContent[]
  /**
   * Further edits of existing entities, by id: relationships to new entities, to be applied once these exist and after `edits`. Their
   * `associatedEntity` has the id -1 and the uid of the new entity; `linksTo` fills in the created ones.
   */
  links: ReadonlyMap<number, readonly EntityEdit[]>
  /** The enumerations of the manifest as its text has them, to be saved in the manifest; null: unchanged. */
  enumerations: readonly Enumeration[] | null
  /** Edits by id of existing entities that need these enumerations: attributes of new ones, which until then have their values. */
  choosing: ReadonlyMap<number, readonly EntityEdit[]>
  /** Entities whose table is gone from the text. Reading deletes none. */
  missing: readonly TextEntity[]
  /** Marks of the text with the identities that matching gave to its names; a next reading needs them. */
  marks: readonly Mark[]
}
