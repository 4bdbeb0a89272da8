import type { AggregateQuery } from '@cadmus/model/configuration'
import { messages } from '@cadmus/model/messages'
import { foldName } from '@cadmus/model/paths'
import { visibleText } from '@cadmus/model/display'
import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Sigma, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { manifestPathsQuery, type ManifestPaths } from '../../api/configurations.ts'
import { DocumentLink, openEntries } from '../../commands/DocumentLink.tsx'
import { Button } from '../../ui/Button.tsx'
import { DataTable, type Column } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { tip } from '../../ui/Tooltip.tsx'
import { queryId } from './edited-query.ts'
import { addQuery, editQuery } from './query-dialog.ts'
import type { ConfigurationView } from './configuration-view.ts'
import { changeList } from './settings.tsx'
import styles from './Configuration.module.css'

type Row = AggregateQuery & { id: string; target: ManifestPaths['entities'][number] | undefined; isLoaded: boolean }

const columns: readonly Column<Row>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <span {...tip(name)}>{visibleText(name)}</span>, width: '50%' },
  {
    id: 'entity',
    header: 'Associated Entity',
    cell: ({ entity, target, isLoaded }) => {
      if (target)
        return (
          <DocumentLink document={{ kind: 'entity', ...target }} inRow>
            {target.name}
          </DocumentLink>
        )
      if (!isLoaded) return entity
      return <span className={styles['missing']}>{visibleText(entity)} (there is no such entity)</span>
    },
  },
]

export function QueriesPart({ view }: { view: ConfigurationView }) {
  const { aggregateQueries } = view.draft.content.configurationBuild
  const isLocked = view.locked !== null
  const { data } = useQuery({ ...manifestPathsQuery(view.manifest.id), enabled: !isLocked })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const byName = useMemo(() => data && new Map(data.entities.map(entity => [foldName(entity.name), entity])), [data])
  const rows = useMemo(
    () =>
      aggregateQueries.map((query): Row => {
        const target = byName?.get(foldName(query.entity))
        return { ...query, id: queryId(query), target, isLoaded: byName !== undefined }
      }),
    [aggregateQueries, byName],
  )

  function remove(removed: ReadonlySet<string>) {
    changeList(view, 'aggregateQueries', ({ configurationBuild }) =>
      configurationBuild.aggregateQueries.filter(query => !removed.has(queryId(query))),
    )
    setSelected(new Set())
  }
  const edit = (row: Row) => editQuery(view, row.id)

  return (
    <div className={styles['full']}>
      <DataTable
        label="Aggregate Queries"
        columns={columns}
        rows={rows}
        rowId={row => row.id}
        rowName={row => row.name}
        empty={
          <EmptyState
            icon={Sigma}
            text={messages.empty.aggregateQueries}
            action={
              !isLocked && (
                <Button variant="primary" icon={Plus} onClick={() => addQuery(view)}>
                  Add Aggregate Query
                </Button>
              )
            }
          />
        }
        {...(isLocked
          ? {}
          : {
              selected,
              onSelect: setSelected,
              onDelete: () => remove(selected),
              onOpen: edit,
              entriesFor: (row: Row) => [
                { kind: 'item' as const, id: 'edit', label: 'Edit', icon: Pencil, run: () => edit(row) },
                ...(row.target ? openEntries({ kind: 'entity', ...row.target }, 'Open Associated Entity') : []),
                {
                  kind: 'item' as const,
                  id: 'delete',
                  label: 'Delete',
                  icon: Trash2,
                  danger: true,
                  run: () => remove(selected.has(row.id) ? selected : new Set([row.id])),
                },
              ],
            })}
      />
    </div>
  )
}
