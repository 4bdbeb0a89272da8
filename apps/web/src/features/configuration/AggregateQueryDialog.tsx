import type { AggregateColumn, AggregateQuery } from '@cadmus/model/configuration'
import { messages } from '@cadmus/model/messages'
import { foldName } from '@cadmus/model/paths'
import { aggregateQuery } from '@cadmus/model/rules/configuration'
import { takenNames } from '@cadmus/model/rules/names'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { manifestPathsQuery } from '../../api/configurations.ts'
import { entityQuery } from '../../api/entities.ts'
import { keyIn, keys, queryClient } from '../../api/query-client.ts'
import type { DraftKey } from '../../drafts/draft-key.ts'
import { useOpenDraft } from '../../drafts/open-drafts.ts'
import { Alert } from '../../ui/Alert.tsx'
import { OverwrittenValue } from '../../ui/InlineNotes.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import type { OptionSource } from '../../ui/options.ts'
import { SearchSelect } from '../../ui/Combobox.tsx'
import { TextField } from '../../ui/TextField.tsx'
import {
  ColumnFields,
  ColumnList,
  enteredColumn,
  pageOfMatches,
  has,
  noColumn,
  type Attribute,
} from './AggregateColumns.tsx'
import { configurationStore } from '../../drafts/configuration-store.ts'
import { rebaseQuery, currentQuery, replacedBy } from './edited-query.ts'

export type AggregateQueryDialogProps = {
  manifestId: number
  at: DraftKey
  opened: readonly AggregateQuery[]
  /** The query to change; null creates a query. */
  query: AggregateQuery | null
  /** `now`: the query it replaces; undefined for a new query. */
  onFinish: (query: AggregateQuery, now: AggregateQuery | undefined) => void
  onClose: () => void
}

export function AggregateQueryDialog(props: AggregateQueryDialogProps) {
  const { manifestId, at, opened, query, onFinish, onClose } = props
  const queries = useQueries(at) ?? opened
  const now = query ? currentQuery(query, opened, queries) : undefined
  const [name, setName] = useState(query?.name ?? '')
  const [entity, setEntity] = useState(query?.entity ?? '')
  const [columns, setColumns] = useState<readonly AggregateColumn[]>(query?.columns ?? [])
  const [column, setColumn] = useState(noColumn)
  const typed = { name: name.trim(), entity, columns: [...columns] }
  // Rebases the edits onto concurrent changes.
  const edited = query && now ? rebaseQuery(typed, query, now) : typed
  const attributes = useAttributes(manifestId, edited.entity)
  const others = queries.filter(one => one !== now && foldName(one.entity) === foldName(edited.entity))
  const foreign = edited.columns.some(({ field }) => attributes !== undefined && !has(attributes, field))

  // A column that was entered but not added is included if valid, else reported.
  const entered = enteredColumn(column, edited.columns, attributes)
  const isIncomplete = !entered.result && (entered.problem !== null || entered.wrongType)
  const complete = entered.result ? { ...edited, columns: [...edited.columns, entered.result] } : edited
  const problem = aggregateQuery(complete, { taken: takenNames(others.map(one => one.name)) })
  const refusal = isIncomplete ? incompleteColumn : (problem ?? (foreign ? messages.aggregateForeign : undefined))

  function finish() {
    onFinish(complete, now)
    onClose()
  }

  return (
    <FormDialog
      title={query ? 'Edit Aggregate Query' : 'New Aggregate Query'}
      width={640}
      onClose={onClose}
      entered={
        name !== (query?.name ?? '') ||
        entity !== (query?.entity ?? '') ||
        columns !== (query?.columns ?? columns) ||
        (!query && columns.length > 0) ||
        column.field !== '' ||
        entered.alias.trim() !== ''
      }
      submitLabel={query ? 'Save' : 'Add'}
      blocked={refusal}
      onSubmit={finish}
    >
      {query && <ConcurrentChange query={query} now={now} edited={edited} />}
      <TextField
        label="Name"
        required
        value={name === query?.name ? edited.name : name}
        error={problem === messages.aggregateExists(edited.name) ? problem : null}
        onChange={setName}
      />
      <SearchSelect
        label="Associated Entity"
        required
        placeholder="Select Entity"
        source={entitySource(manifestId)}
        value={edited.entity === '' ? null : { value: edited.entity, label: edited.entity, data: null }}
        onChange={({ label }) => setEntity(label)}
      />
      <ColumnFields
        entity={edited.entity}
        attributes={attributes}
        load={() => loadAttributes(manifestId, edited.entity)}
        column={column}
        others={edited.columns}
        onChange={setColumn}
        onAdd={added => {
          setColumns([...edited.columns, added])
          setColumn(noColumn)
        }}
      />
      <ColumnList
        columns={edited.columns}
        attributes={attributes}
        entity={edited.entity}
        onRemove={({ alias }) => setColumns(edited.columns.filter(one => one.alias !== alias))}
      />
    </FormDialog>
  )
}

const incompleteColumn = 'The column is not complete: complete or clear it first.'

type ConcurrentChangeProps = { query: AggregateQuery; now: AggregateQuery | undefined; edited: AggregateQuery }

/** Warns if the query was changed or deleted concurrently. */
function ConcurrentChange({ query, now, edited }: ConcurrentChangeProps) {
  if (!now) return <Alert kind="warning">Someone else deleted this query. Save adds it again.</Alert>
  const replaced = replacedBy(edited, query, now)
  return replaced !== null && <OverwrittenValue value={replaced} />
}

function useQueries(at: DraftKey): readonly AggregateQuery[] | undefined {
  return useOpenDraft(configurationStore, at)?.draft.content.configurationBuild.aggregateQueries
}

/** All attributes of the entity, inherited and foreign keys included; undefined while unknown. */
function useAttributes(manifestId: number, entity: string): readonly Attribute[] | undefined {
  const { data: paths } = useQuery(manifestPathsQuery(manifestId))
  const id = paths?.entities.find(({ name }) => foldName(name) === foldName(entity))?.id
  const { data } = useQuery({ ...entityQuery(id ?? 0), enabled: id !== undefined })
  return id === undefined ? undefined : data?.entity.resolvedAttributes
}

async function loadAttributes(manifestId: number, entity: string): Promise<readonly Attribute[]> {
  const { entities } = await queryClient.ensureQueryData(manifestPathsQuery(manifestId))
  const id = entities.find(({ name }) => foldName(name) === foldName(entity))?.id
  if (id === undefined) return []
  return (await queryClient.ensureQueryData(entityQuery(id))).entity.resolvedAttributes ?? []
}

function entitySource(manifestId: number): OptionSource<null> {
  return {
    key: keyIn([...keys.options, 'manifest-paths', manifestId]),
    load: async (search, page, limit) => {
      const { entities } = await queryClient.ensureQueryData(manifestPathsQuery(manifestId))
      const options = entities.map(({ name, path }) => ({ value: name, label: name, detail: path, data: null }))
      return pageOfMatches(options, search, page, limit)
    },
  }
}
