import type { Api, ApiEntity } from '@cadmus/model/api/api'
import { resolvePackage } from '../../api-of.ts'
import type { PackageModel } from '@cadmus/model/api/package-model'
import type { InstanceSchema } from '../../instance-schema.ts'
import { tablesOf } from '../../tables.ts'
import type { Table } from '../../tree.ts'
import type { Naive, NaiveEntity, NaiveField } from './state.ts'

/** An empty package. `schema` provides the limits of the columns in the database. */
export function naiveOf(model: PackageModel, api: Api, schema: InstanceSchema, byUnits: boolean): Naive {
  const { sqlConfiguration } = model.configuration.configurationBuild
  const { tables } = tablesOf(resolvePackage(model), sqlConfiguration).schema
  const entities = new Map(
    api.entities.flatMap(entity => {
      const table = tables.find(({ name }) => name === entity.name)
      return table ? [[entity.name, entityFrom(entity, table, api, schema)] as const] : []
    }),
  )
  const keys = tables.flatMap(({ name, foreignKeys }) =>
    foreignKeys.map(({ columns, references, onDelete }) => {
      const pairs = columns.map((field, at) => ({ field, target: references.columns[at] ?? '' }))
      return { from: name, to: references.table, pairs, onDelete }
    }),
  )
  return { api, entities, keys, byUnits }
}

function entityFrom(api: ApiEntity, table: Table, { options }: Api, schema: InstanceSchema): NaiveEntity {
  const databaseTable = schema.schema.tables.find(({ source }) => source.uid === table.source.uid)
  const fields = api.fields.map((field): NaiveField => {
    const column = databaseTable?.columns.find(({ source }) => source.uid === field.uid)
    const value = column?.default ?? null
    const columnDefault = value?.kind === 'computed' ? null : value
    return { ...field, columnType: column?.type ?? { kind: 'text' }, columnDefault }
  })
  const names = [...api.fields, ...api.relations].map(({ name }) => name.toLowerCase())
  const keys = [...(table.primaryKey ? [table.primaryKey] : []), ...table.uniques]
  return {
    api,
    fields: options.customFields && !names.includes('customfields') ? [...fields, customFields] : fields,
    uniques: keys.map(({ columns }) => columns),
    rows: [],
    history: [],
  }
}

const customFields: NaiveField = {
  uid: '',
  name: 'customFields',
  description: '',
  type: { kind: 'json' },
  nullable: true,
  generated: false,
  default: null,
  maxLength: null,
  choices: [],
  enumeration: null,
  unique: false,
  references: null,
  columnType: { kind: 'json' },
  columnDefault: null,
}
