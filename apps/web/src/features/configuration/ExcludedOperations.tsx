import { bestMatches } from '@cadmus/model/match-rank'
import { messages } from '@cadmus/model/messages'
import {
  defaultOperations,
  exclusionLabel,
  exclusionOf,
  parseExclusion,
  type ApiOperation,
} from '@cadmus/model/operations'
import { foldName } from '@cadmus/model/paths'
import { useQuery } from '@tanstack/react-query'
import { Ban, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { manifestPathsQuery } from '../../api/configurations.ts'
import { keyIn, keys } from '../../api/query-client.ts'
import { readFailure } from '../../api/read-failure.ts'
import { Button } from '../../ui/Button.tsx'
import { DataTable, type Column } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import type { Option, OptionSource } from '../../ui/options.ts'
import { UnreadAlert } from '../../ui/UnreadAlert.tsx'
import { SearchMultiSelect } from '../../ui/Combobox.tsx'
import type { ConfigurationView } from './configuration-view.ts'
import { change, Group } from './settings.tsx'
import styles from './Configuration.module.css'

type Excluded = { text: string; label: string; exists: boolean }

const columns: readonly Column<Excluded>[] = [
  {
    id: 'path',
    header: 'Path',
    mono: true,
    cell: ({ label, exists }) =>
      exists ? label : <span className={styles['missing']}>{label} (there is no such operation)</span>,
  },
]

export function ExcludedOperations({ view }: { view: ConfigurationView }) {
  const { excludeOperations } = view.draft.content.configurationBuild.apiConfiguration
  const isLocked = view.locked !== null
  const paths = useQuery({ ...manifestPathsQuery(view.manifest.id), enabled: !isLocked })
  const readError = readFailure(paths, 'The operations could not be read.')
  const { id } = view.manifest
  const cacheKey = useMemo(() => [id, paths.dataUpdatedAt], [id, paths.dataUpdatedAt])
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const operations = useMemo(
    () => paths.data?.entities.flatMap(({ name, primaryKey }) => defaultOperations(name, primaryKey)),
    [paths.data],
  )
  const existing = useMemo(() => operations && new Set(operations.map(one => keyOf(exclusionOf(one)))), [operations])
  const rows = useMemo(() => excludeOperations.map(text => rowOf(text, existing)), [excludeOperations, existing])

  const longest = rows.reduce((max, { label, exists }) => Math.max(max, label.length + (exists ? 0 : 32)), 0)

  function remove(removed: ReadonlySet<string>) {
    change(view, 'apiConfiguration', { excludeOperations: excludeOperations.filter(text => !removed.has(text)) })
    setSelected(new Set())
  }

  return (
    <Group title="Excluded API Operations">
      {!isLocked && readError && <UnreadAlert failure={readError} />}
      {!isLocked && !readError && (
        <OperationPicker
          cacheKey={cacheKey}
          operations={operations}
          excluded={excludeOperations}
          onExclude={added =>
            change(view, 'apiConfiguration', { excludeOperations: [...new Set([...excludeOperations, ...added])] })
          }
        />
      )}
      <div className={styles['table']}>
        <DataTable
          label="Excluded API Operations"
          // Paths differ at their ends: scroll instead of truncating.
          minWidth={`calc(${longest}ch + 64px)`}
          columns={columns}
          rows={rows}
          rowId={row => row.text}
          rowName={row => row.label}
          empty={<EmptyState icon={Ban} text={messages.empty.excludedPaths} />}
          {...(isLocked
            ? {}
            : {
                selected,
                onSelect: setSelected,
                onDelete: () => remove(selected),
                entriesFor: (row: Excluded) => [
                  {
                    kind: 'item' as const,
                    id: 'delete',
                    label: 'Delete',
                    icon: Trash2,
                    danger: true,
                    run: () => remove(selected.has(row.text) ? selected : new Set([row.text])),
                  },
                ],
              })}
        />
      </div>
    </Group>
  )
}

type OperationPickerProps = {
  /** Cache key: the manifest and the time of the read. */
  cacheKey: readonly unknown[]
  /** undefined while loading. */
  operations: readonly ApiOperation[] | undefined
  excluded: readonly string[]
  onExclude: (added: string[]) => void
}

function OperationPicker({ cacheKey, operations, excluded, onExclude }: OperationPickerProps) {
  const [chosen, setChosen] = useState<readonly Option<ApiOperation>[]>([])
  const source = useMemo(() => sourceOf(operations ?? [], excluded, cacheKey), [operations, excluded, cacheKey])
  const isFetching = operations === undefined
  return (
    <div className={styles['row']}>
      <SearchMultiSelect
        label="Operations to exclude"
        source={source}
        value={chosen}
        onChange={setChosen}
        disabled={isFetching}
        placeholder={isFetching ? messages.prompts.fetchingPaths : 'Select operations'}
        several={count => `${count} operations`}
        emptyText="No operation to exclude"
      />
      <Button
        size="dialog"
        icon={Ban}
        disabled={chosen.length === 0 ? 'Choose an operation first.' : false}
        onClick={() => {
          onExclude(chosen.map(({ value }) => value))
          setChosen([])
        }}
      >
        Exclude
      </Button>
    </div>
  )
}

/** Operations not excluded yet, matched by any word typed. */
function sourceOf(
  operations: readonly ApiOperation[],
  excluded: readonly string[],
  cacheKey: readonly unknown[],
): OptionSource<ApiOperation> {
  const out = new Set(excluded.map(keyOf))
  const left = operations.filter(operation => !out.has(keyOf(exclusionOf(operation))))
  const options = left.map(data => ({ value: exclusionOf(data), label: exclusionLabel(data), data }))
  return {
    key: keyIn([...keys.options, 'operations', ...cacheKey, excluded]),
    load: async (search, page, limit) => {
      const matches = bestMatches(options, ({ label }) => [label], search)
      return { options: matches.slice(page * limit, page * limit + limit), total: matches.length }
    },
  }
}

/** Comparison key that ignores spelling variants. */
function keyOf(text: string): string {
  const operation = parseExclusion(text)
  return foldName(operation ? exclusionOf(operation) : text)
}

function rowOf(text: string, existing: ReadonlySet<string> | undefined): Excluded {
  const operation = parseExclusion(text)
  const label = operation ? exclusionLabel(operation) : text
  return { text, label, exists: existing === undefined || existing.has(keyOf(text)) }
}
