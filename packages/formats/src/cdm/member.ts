import type { Attribute } from './attribute.ts'
import type { Projection } from './projection.ts'
import type { Place } from './report.ts'

/** An item of `hasAttributes` or of a group's `members`. */
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

/** An entity attribute, with resolution guidance or as a projection. */
export type Reference = {
  kind: 'reference'
  name: string
  /** With `selectsOne` the targets are alternatives; otherwise there is one target. */
  targets: readonly Target[]
  selectsOne: boolean
  /** Has neither guidance nor operations, so nothing requests a foreign key. */
  isPlain: boolean
  /** If false, the target's attributes are included instead of a foreign key. */
  byReference: boolean
  foreignKey: Attribute | undefined
  typeAttribute: Attribute | undefined
  renameFormat: string | undefined
  /** First ordinal, number of repetitions, and the attribute that holds the count. */
  expansion: { start: number; count: number; counted: Attribute | undefined } | undefined
  takes: InheritFilter | undefined
  description: string | undefined
}

/** Selection of attributes to inherit from a parent or include from an entity. */
export type InheritFilter = { take: ReadonlySet<string> | undefined; avoid: ReadonlySet<string> }

/** `entity`: a name, or the members of an inline entity. */
export type Target = { entity: string | readonly Member[]; attribute: string | undefined }

/** Reads nested members. Passed as a parameter to avoid an import cycle. */
export type ReadMembers = (value: unknown, place: Place) => Member[]

export function targetsOf(member: Member): readonly Target[] {
  if (member.kind === 'projected') return [member.target]
  return member.kind === 'reference' ? member.targets : []
}
