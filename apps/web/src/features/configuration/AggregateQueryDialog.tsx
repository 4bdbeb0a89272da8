import {
  aggregateLabels,
  aggregateTypes,
  defaultAlias,
  type AggregateColumn,
  type AggregateQuery,
  type AggregateType,
} from '@cadmus/model/configuration'
import { foldName } from '@cadmus/model/paths'
import { aggregateQuery, alias as aliasProblem } from '@cadmus/model/rules/aggregate-query'
import { takenNames } from '@cadmus/model/rules/taken-names'
import { messages } from '@cadmus/model/messages'
import type { DataType } from '@cadmus/model/type-attribute'
import { visibleText } from '@cadmus/model/visible-text'
import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useRef, useState, type KeyboardEvent } from 'react'
import { manifestPathsQuery } from '../../api/configurations.ts'
import { entityQuery } from '../../api/entities.ts'
import { queryClient } from '../../api/query-client.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import type { Option, OptionSource } from '../../ui/options.ts'
import { SearchSelect } from '../../ui/SearchSelect.tsx'
import { Select } from '../../ui/Select.tsx'
import { TextField } from '../../ui/TextField.tsx'
import styles from './Configuration.module.css'

export type AggregateQueryDialogProps = {
  manifestId: number
  /** The other queries of the configuration. */
  others: readonly AggregateQuery[]
  /** The one to change; null: a new one. */
  query: AggregateQuery | null
  onFinish: (query: AggregateQuery) => void
  onClose: () => void
}

type Attribute = { name: string; dataType: DataType }
type NewColumn = { field: string; type: AggregateType; alias: string | null }

const noColumn: NewColumn = { field: '', type: 'COUNT', alias: null }

/** New Aggregate Query: a name, an entity, and the columns, each added by itself. */
export function AggregateQueryDialog({ manifestId, others, query, onFinish, onClose }: AggregateQueryDialogProps) {
  const [name, setName] = useState(query?.name ?? '')
  const [entity, setEntity] = useState(query?.entity ?? '')
  const [columns, setColumns] = useState<readonly AggregateColumn[]>(query?.columns ?? [])
  const [column, setColumn] = useState(noColumn)
  const attributes = useAttributes(manifestId, entity)
  const made = { name: name.trim(), entity, columns: [...columns] }
  const taken = takenNames(others.filter(one => foldName(one.entity) === foldName(entity)).map(one => one.name))
  const problem = aggregateQuery(made, { taken })
  const foreign = columns.some(({ field }) => attributes !== undefined && !has(attributes, field))

  function finish() {
    if (problem !== undefined || foreign) return
    onFinish(made)
    onClose()
  }

  return (
    <Dialog
      title={query ? 'Edit Aggregate Query' : 'New Aggregate Query'}
      width={640}
      onClose={onClose}
      entered={
        name !== (query?.name ?? '') ||
        entity !== (query?.entity ?? '') ||
        columns !== (query?.columns ?? columns) ||
        (!query && columns.length > 0) ||
        column.field !== ''
      }
      footer={
        <>
          <Button size="dialog" onClick={onClose}>
            Cancel
          </Button>
          <Button size="dialog" variant="primary" disabled={problem !== undefined || foreign} onClick={finish}>
            {query ? 'Save' : 'Add'}
          </Button>
        </>
      }
    >
      <div className={styles['fields']}>
        <TextField
          label="Name"
          required
          value={name}
          error={problem === messages.aggregateExists(made.name) ? problem : null}
          onChange={setName}
        />
        <SearchSelect
          label="Associated Entity"
          required
          placeholder="Select Entity"
          source={entitySource(manifestId)}
          value={entity === '' ? null : { value: entity, label: entity, data: null }}
          onChange={({ label }) => setEntity(label)}
        />
        <ColumnFields
          entity={entity}
          attributes={attributes}
          column={column}
          others={columns}
          onChange={setColumn}
          onAdd={added => {
            setColumns([...columns, added])
            setColumn(noColumn)
          }}
        />
        <ColumnList
          columns={columns}
          attributes={attributes}
          entity={entity}
          onRemove={gone => setColumns(columns.filter(known => known !== gone))}
        />
      </div>
    </Dialog>
  )
}

type ColumnFieldsProps = {
  entity: string
  attributes: readonly Attribute[] | undefined
  column: NewColumn
  others: readonly AggregateColumn[]
  onChange: (column: NewColumn) => void
  onAdd: (column: AggregateColumn) => void
}

function ColumnFields({ entity, attributes, column, others, onChange, onAdd }: ColumnFieldsProps) {
  const { field, type } = column
  const alias = column.alias ?? (field === '' ? '' : defaultAlias(field, type))
  const button = useRef<HTMLButtonElement>(null)
  const dataType = attributes?.find(one => foldName(one.name) === foldName(field))?.dataType
  const isSum = type === 'SUM' || type === 'AVG'
  const wrongType = isSum && dataType !== undefined && !numeric.includes(dataType)
  const problem = field === '' ? undefined : aliasProblem(alias, { others })

  function add() {
    if (field === '' || problem !== undefined || wrongType) return
    onAdd({ field, type, alias: alias.trim() })
    button.current?.focus()
  }

  return (
    <div className={styles['column']}>
      <SearchSelect
        label="Target Entity Attribute"
        placeholder="Select Attribute"
        source={attributeSource(entity, attributes)}
        value={field === '' ? null : { value: field, label: field, data: null }}
        disabled={entity === ''}
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
        error={problem ?? null}
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
          field === '' ? 'Choose an attribute first.' : (problem ?? (wrongType ? 'It adds up numbers only.' : false))
        }
        onClick={add}
      >
        Add Column
      </Button>
    </div>
  )
}

type ColumnListProps = {
  columns: readonly AggregateColumn[]
  attributes: readonly Attribute[] | undefined
  entity: string
  onRemove: (column: AggregateColumn) => void
}

function ColumnList({ columns, attributes, entity, onRemove }: ColumnListProps) {
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

function has(attributes: readonly Attribute[], field: string): boolean {
  return attributes.some(({ name }) => foldName(name) === foldName(field))
}

/** All that the entity's rows have, inherited ones and foreign keys included; undefined while it is not known. */
function useAttributes(manifestId: number, entity: string): readonly Attribute[] | undefined {
  const { data: paths } = useQuery(manifestPathsQuery(manifestId))
  const id = paths?.entities.find(({ name }) => foldName(name) === foldName(entity))?.id
  const { data } = useQuery({ ...entityQuery(id ?? 0), enabled: id !== undefined })
  return id === undefined ? undefined : data?.entity.resolvedAttributes
}

function entitySource(manifestId: number): OptionSource<null> {
  return {
    key: ['manifest-paths', manifestId],
    load: async (search, page, limit) => {
      const { entities } = await queryClient.ensureQueryData(manifestPathsQuery(manifestId))
      const options = entities.map(({ name, path }) => ({ value: name, label: name, detail: path, data: null }))
      return found(options, search, page, limit)
    },
  }
}

function attributeSource(entity: string, attributes: readonly Attribute[] | undefined): OptionSource<null> {
  const options = (attributes ?? []).map(({ name, dataType }) => ({
    value: name,
    label: name,
    detail: dataType,
    data: null,
  }))
  return {
    // An entity has few enough of them to be told apart by all.
    key: ['attributes', entity, options.map(({ value, detail }) => `${value} ${detail}`)],
    load: async (search, page, limit) => found(options, search, page, limit),
  }
}

function found(options: readonly Option<null>[], search: string, page: number, limit: number) {
  const wanted = foldName(search)
  const all = options.filter(({ label }) => foldName(label).includes(wanted))
  return { options: all.slice(page * limit, page * limit + limit), total: all.length }
}
