import type { Attribute } from './attribute.ts'
import type { Projection } from './projection.ts'
import type { Place } from './report.ts'

/** What may stand in `hasAttributes` and in a group's `members`. */
export type Member =
  | {
      kind: 'attribute'
      attribute: Attribute
      supporting: readonly Attribute[]
      removes: boolean
      projections: readonly Projection[]
    }
  | { kind: 'named'; name: string }
  | { kind: 'group'; members: readonly Member[] }
  | { kind: 'projected'; name: string; target: Target; projections: readonly Projection[] }
  | Reference

/** An entity attribute, in either style. */
export type Reference = {
  kind: 'reference'
  name: string
  /** `one`: the targets are alternatives, and `named` is the entity that lists them where it is not written in place. */
  targets: readonly Target[]
  selectsOne: boolean
  /** Written without guidance and operations: nothing says that a key is wanted. */
  isPlain: boolean
  /** Where false, the attributes of the target are taken in instead of a key. */
  byReference: boolean
  foreignKey: Attribute | undefined
  typeAttribute: Attribute | undefined
  renameFormat: string | undefined
  /** From which ordinal on, how many times, and the attribute that says how many there are. */
  expansion: { start: number; count: number; counted: Attribute | undefined } | undefined
  takes: InheritFilter | undefined
  description: string | undefined
}

/** Which attributes of a parent, or of an entity that is taken in, are meant. */
export type InheritFilter = { take: ReadonlySet<string> | undefined; avoid: ReadonlySet<string> }

/** `entity` is a name, or the members of an entity written in place. */
export type Target = { entity: string | readonly Member[]; attribute: string | undefined }

/** Reads members inside members; handed down, because the styles and the list of members need each other. */
export type ReadMembers = (value: unknown, place: Place) => Member[]
