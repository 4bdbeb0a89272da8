import type { DatabaseType } from '@cadmus/model/database-types'
import type { OnDelete } from '@cadmus/model/entity-attribute'
import type { TypeAttribute } from '@cadmus/model/type-attribute'

/** What a script says, in the model's words. Lines count from 1. */
export type SqlModel = {
  dialect: DatabaseType
  tables: readonly SqlTable[]
  /** What was not understood or has no word in the model. */
  remarks: readonly SqlRemark[]
}

export type SqlRemark = { line: number; message: string }

export type SqlTable = {
  name: string
  schema: string
  line: number
  description: string
  columns: readonly SqlColumn[]
}

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
  | 'unique'
  | 'indexed'
  | 'precision'
  | 'scale'
> & {
  line: number
  isKey: boolean
  /** What a foreign key of this column alone refers to: the number of the table in the model's list, and its column. */
  reference: { table: number; column: string; onDelete: OnDelete } | null
}
