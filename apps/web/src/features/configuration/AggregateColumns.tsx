import { bestMatches } from '@cadmus/model/match-rank'
import {
  aggregateLabels,
  aggregateTypes,
  defaultAlias,
  type AggregateColumn,
  type AggregateType,
} from '@cadmus/model/configuration'
import { messages } from '@cadmus/model/messages'
import { foldName } from '@cadmus/model/paths'
import { alias as aliasProblem } from '@cadmus/model/rules/configuration'
import type { DataType } from '@cadmus/model/type-attribute'
import { visibleText } from '@cadmus/model/display'
import { Plus, X } from 'lucide-react'
import { useRef, type KeyboardEvent } from 'react'
import { keyIn, keys } from '../../api/query-client.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import type { Option, OptionSource } from '../../ui/options.ts'
import { SearchSelect } from '../../ui/Combobox.tsx'
import { Select } from '../../ui/Select.tsx'
import { TextField } from '../../ui/TextField.tsx'
import styles from './Configuration.module.css'

export type Attribute = { name: string; dataType: DataType }
export type NewColumn = { field: string; type: AggregateType; alias: string | null }

export const noColumn: NewColumn = { field: '', type: 'COUNT', alias: null }

type ColumnFieldsProps = {
  entity: string
  attributes: readonly Attribute[] | undefined
  /** Loads the attributes; the picker reports failures. */
  load: () => Promise<readonly Attribute[]>
  column: NewColumn
  others: readonly AggregateColumn[]
  onChange: (column: NewColumn) => void
  onAdd: (column: AggregateColumn) => void
}

export function ColumnFields({ entity, attributes, load, column, others, onChange, onAdd }: ColumnFieldsProps) {
  const { field, type } = column
  const button = useRef<HTMLButtonElement>(null)
  const { alias, problem, wrongType, result } = enteredColumn(column, others, attributes)

  function add() {
    if (!result) return
    onAdd(result)
    button.current?.focus()
  }

  return (
    <div className={styles['column']}>
      <SearchSelect
        label="Target Entity Attribute"
        placeholder="Select Attribute"
        source={attributeSource(entity, attributes, load)}
        value={field === '' ? null : { value: field, label: field, data: null }}
        reason={entity === '' && 'Select the associated entity first.'}
        onChange={({ label }) => onChange({ ...column, field: label })}
      />
      <Select
        label="Aggregate Type"
        options={aggregateTypes.map(value => ({ value, label: aggregateLabels[value] }))}
        value={type}
        error={wrongType ? `${aggregateLabels[type]} is for numbers only.` : null}
        onChange={next => onChange({ ...column, type: next })}
      />
      <TextField
        label="Alias"
        value={alias}
        error={problem}
        onChange={text => onChange({ ...column, alias: text })}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <Button
        ref={button}
        size="dialog"
        icon={Plus}
        disabled={
          field === ''
            ? 'Choose an attribute first.'
            : (problem ?? (wrongType ? 'The sum needs a numeric attribute.' : false))
        }
        onClick={add}
      >
        Add Column
      </Button>
    </div>
  )
}

type Entered = { alias: string; problem: string | null; wrongType: boolean; result: AggregateColumn | null }

/** The column described by the inputs, or the problem with them. */
export function enteredColumn(
  column: NewColumn,
  others: readonly AggregateColumn[],
  attributes: readonly Attribute[] | undefined,
): Entered {
  const { field, type } = column
  const alias = column.alias ?? (field === '' ? '' : defaultAlias(field, type))
  if (field === '') {
    const problem = alias.trim() === '' ? null : 'Choose the attribute of the column, or clear the column.'
    return { alias, problem, wrongType: false, result: null }
  }
  const dataType = attributes?.find(one => foldName(one.name) === foldName(field))?.dataType
  const isSum = type === 'SUM' || type === 'AVG'
  const wrongType = isSum && dataType !== undefined && !numeric.includes(dataType)
  // The user has chosen another entity since.
  const missing = attributes && !has(attributes, field) ? 'Choose an attribute of the entity.' : null
  const problem = missing ?? aliasProblem(alias, { others }) ?? null
  const result = problem === null && !wrongType ? { field, type, alias: alias.trim() } : null
  return { alias, problem, wrongType, result }
}

type ColumnListProps = {
  columns: readonly AggregateColumn[]
  attributes: readonly Attribute[] | undefined
  entity: string
  onRemove: (column: AggregateColumn) => void
}

export function ColumnList({ columns, attributes, entity, onRemove }: ColumnListProps) {
  const list = useRef<HTMLTableElement>(null)
  if (columns.length === 0) return <p className={styles['note']}>{messages.aggregateColumns}</p>
  return (
    <table ref={list} tabIndex={-1} className={styles['columns']} aria-label="Columns">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Type</th>
          <th scope="col">Alias</th>
          <th scope="col">
            <span className="visually-hidden">Remove</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {columns.map(column => (
          <tr key={column.alias}>
            <td className={styles['mono']}>
              {visibleText(column.field)}
              {attributes && !has(attributes, column.field) && (
                <span className={styles['missing']}> ({messages.targetAttributeMissing(entity, column.field)})</span>
              )}
            </td>
            <td>{aggregateLabels[column.type]}</td>
            <td className={styles['mono']}>{visibleText(column.alias)}</td>
            <td>
              <IconButton
                label={`Remove column ${column.alias}`}
                icon={X}
                onClick={() => {
                  onRemove(column)
                  list.current?.focus()
                }}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const numeric: readonly DataType[] = ['integer', 'double', 'float']

export function has(attributes: readonly Attribute[], field: string): boolean {
  return attributes.some(({ name }) => foldName(name) === foldName(field))
}

function attributeSource(
  entity: string,
  attributes: readonly Attribute[] | undefined,
  load: () => Promise<readonly Attribute[]>,
): OptionSource<null> {
  return {
    // An entity has few enough attributes to use them as the cache key.
    key: keyIn([...keys.options, 'attributes', entity, attributes?.map(({ name, dataType }) => `${name} ${dataType}`)]),
    load: async (search, page, limit) => {
      const options = (attributes ?? (await load())).map(({ name, dataType }) => ({
        value: name,
        label: name,
        detail: dataType,
        data: null,
      }))
      return pageOfMatches(options, search, page, limit)
    },
  }
}

/** One page of the options whose labels contain the search: exact matches first, then prefixes. */
export function pageOfMatches<T>(options: readonly Option<T>[], search: string, page: number, limit: number) {
  const all = bestMatches(options, ({ label }) => [label], search)
  return { options: all.slice(page * limit, page * limit + limit), total: all.length }
}
