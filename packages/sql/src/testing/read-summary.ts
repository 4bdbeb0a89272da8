import { conditionText } from '@cadmus/model/conditions/text'
import type { ScriptDatabase } from '../databases.ts'
import { namedMessage } from '../read/named-message.ts'
import { readScript } from '../read/script.ts'
import type { SqlCheck, SqlColumn, SqlGroup, SqlModel } from '../read/sql-model.ts'

// For tests only: what was read from a script, as short texts.

export type Summary = {
  dialect: ScriptDatabase
  /** `table: column type flags, …` */
  tables: string[]
  /** `line kind: message` */
  remarks: string[]
}

export function summaryOf(script: string, database?: ScriptDatabase): Summary {
  const model = readScript(script, database)
  return {
    dialect: model.dialect,
    tables: model.tables.map(({ schema, name, columns, groups, checks }) => {
      const path = schema === '' ? name : `${schema}.${name}`
      const grouped = [...groups.map(groupText), ...checks.map(checkText)]
      return `${path}: ${[...columns.map(column => columnText(column, model)), ...grouped].join(', ')}`
    }),
    remarks: model.remarks.map(({ line, kind, message, name }) => `${line} ${kind}: ${namedMessage(message, name)}`),
  }
}

function groupText({ kind, name, members }: SqlGroup): string {
  const columns = members.map(member => (member.descending ? `${member.name} desc` : member.name)).join(', ')
  return `${kind}${name === '' ? '' : ` ${name}`} (${columns})`
}

function checkText({ name, condition }: SqlCheck): string {
  return `check${name === '' ? '' : ` ${name}`} (${conditionText(condition)})`
}

function columnText(column: SqlColumn, { tables }: SqlModel): string {
  const {
    name,
    dataType,
    format,
    maxLength,
    precision,
    scale,
    choices,
    defaultValue,
    defaultKind,
    reference,
    description,
  } = column
  const target = reference && tables[reference.table]
  const flags = [
    column.isKey ? 'key' : column.nullable ? '' : 'required',
    column.unique ? 'unique' : '',
    column.indexed ? 'indexed' : '',
    choices.length > 0 ? `in ${choices.join('|')}` : '',
    defaultValue === null ? '' : `default '${defaultValue}'`,
    defaultKind === 'literal' ? '' : `default ${defaultKind}`,
    target ? `-> ${target.schema === '' ? '' : `${target.schema}.`}${target.name}.${reference.column}` : '',
    ...(reference?.further ?? []).map(pair => `and ${pair.name} -> ${pair.target}`),
    reference && reference.onUpdate !== 'restrict' ? `on update ${reference.onUpdate}` : '',
    description === '' ? '' : `"${description}"`,
  ]
  const size =
    precision === null
      ? maxLength === null
        ? ''
        : `(${maxLength})`
      : scale === null
        ? `(${precision})`
        : `(${precision},${scale})`
  return [name, `${format ?? dataType}${size}`, ...flags].filter(text => text !== '').join(' ')
}
