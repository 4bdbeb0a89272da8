import type { Thing } from '@cadmus/model/import-things'
import type { Counts } from './counts.ts'
import type { Evidence } from './weigh.ts'
import type { ScriptDatabase } from '../databases.ts'
import type { Condition } from '@cadmus/model/conditions/condition'
import type { OnDelete } from '@cadmus/model/entity-attribute'
import type { Group } from '@cadmus/model/group'
import type { TypeAttribute } from '@cadmus/model/type-attribute'

/** The contents of a script in terms of the model. Lines count from 1. */
export type SqlModel = {
  dialect: ScriptDatabase
  /** The databases by how much the script looks like one for them, best first; empty if the caller names one. */
  evidence: readonly Evidence[]
  tables: readonly SqlTable[]
  /** The named types that list their values; their names differ. */
  enumerations: readonly SqlEnumeration[]
  /** Unsupported or unknown parts of the script. */
  remarks: readonly SqlRemark[]
  counts: ScriptCounts
}

/** Each declared thing is taken into the model or is in the remarks, which are the listed ones. */
export type ScriptCounts = { declared: Counts; taken: Counts; listed: Counts }

/**
 * `lost`: the model has no place for it; `changed`: the model has it in another form; `note`: nothing is lost. Line 0
 * stands for the whole script. `name`: of the thing that the message is about, where it does not say it.
 */
export type SqlRemark = {
  line: number
  kind: 'lost' | 'changed' | 'note'
  message: string
  name?: string | undefined
  /** The declared thing that is therefore not in the model. */
  of?: Thing | undefined
  /** Index in `tables` of the one that it is about. */
  table?: number | undefined
}

/** Values in their order. */
export type SqlEnumeration = { name: string; description: string; values: readonly string[] }

export type SqlTable = {
  name: string
  schema: string
  line: number
  description: string
  columns: readonly SqlColumn[]
  groups: readonly SqlGroup[]
  checks: readonly SqlCheck[]
}

/** Columns that are unique or indexed together, or the order of the primary key. */
export type SqlGroup = Pick<Group, 'kind' | 'name'> & {
  line: number
  members: readonly { name: string; descending: boolean }[]
}

/** A condition on columns by name; `name`: '' for an automatic one. */
export type SqlCheck = { name: string; line: number; condition: Condition }

export type SqlColumn = Pick<
  TypeAttribute,
  | 'name'
  | 'dataType'
  | 'format'
  | 'description'
  | 'nullable'
  | 'choices'
  | 'maxLength'
  | 'defaultValue'
  | 'defaultKind'
  | 'unique'
  | 'indexed'
  | 'precision'
  | 'scale'
> & {
  line: number
  isKey: boolean
  /** Index in `enumerations` of the one whose values the choices are. */
  enumeration: number | null
  /** The target of a foreign key: the index of the table in `tables`, its column, and further columns of the key with their targets. */
  reference: {
    table: number
    column: string
    further: readonly { name: string; target: string }[]
    onDelete: OnDelete
    onUpdate: OnDelete
  } | null
}
