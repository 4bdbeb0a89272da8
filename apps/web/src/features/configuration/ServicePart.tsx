import { messages } from '@cadmus/model/messages'
import { useQuery } from '@tanstack/react-query'
import { Table2 } from 'lucide-react'
import { useMemo } from 'react'
import { manifestPathsQuery, type ManifestPaths } from '../../api/configurations.ts'
import { messageOf } from '../../api/error.ts'
import { DataTable, type Column } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import type { ConfigurationView } from './configuration-view.ts'
import { change, CheckSetting, Group, ShownSetting } from './settings.tsx'
import styles from './Configuration.module.css'

const options = [
  [
    'applyMultiTenancy',
    'Apply Multi-Tenancy',
    'Every table gets a tenant_id, and every statement is about the tenant of its caller.',
  ],
  ['applyCustomField', 'Apply Custom Fields', 'Every table gets a JSON column for fields of its users.'],
  ['applySot', 'Apply Source of Truth', 'Every change of the chosen entities is recorded.'],
] as const

/** Service Configuration: for the one organisation that has it. */
export function ServicePart({ view }: { view: ConfigurationView }) {
  const { serviceConfiguration } = view.draft.content.configurationBuild
  const locked = view.locked !== null
  return (
    <div className={styles['part']}>
      <div className={styles['wide']}>
        <Group title="Service Options">
          <div className={styles['checks']}>
            {options.map(([field, label, hint]) => (
              <CheckSetting
                key={field}
                label={label}
                hint={hint}
                checked={serviceConfiguration[field]}
                locked={locked}
                onChange={checked => change(view, 'serviceConfiguration', { [field]: checked })}
              />
            ))}
          </div>
        </Group>
        {serviceConfiguration.applySot && (
          <Group title="Source of Truth Entities">
            {locked ? (
              <ShownSetting label="Entities" value={serviceConfiguration.sotEntities.join(', ')} />
            ) : (
              <Checklist view={view} chosen={serviceConfiguration.sotEntities} />
            )}
          </Group>
        )}
      </div>
    </div>
  )
}

type Entity = ManifestPaths['entities'][number]

const columns: readonly Column<Entity>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name, width: '40%' },
  { id: 'path', header: 'Path', cell: ({ path }) => path, mono: true },
]

function Checklist({ view, chosen }: { view: ConfigurationView; chosen: readonly string[] }) {
  const { data, error, isPending, refetch } = useQuery(manifestPathsQuery(view.manifest.id))
  const selected = useMemo(() => new Set(chosen), [chosen])
  const entities = useMemo(() => [...new Map(data?.entities.map(entity => [entity.name, entity])).values()], [data])
  if (error && !data)
    return <ErrorState message={messageOf(error, messages.failed.unexpected)} onRetry={() => void refetch()} />
  return (
    <div className={styles['table']}>
      <DataTable
        label="Source of Truth Entities"
        columns={columns}
        rows={entities}
        rowId={({ name }) => name}
        rowName={({ name }) => name}
        selected={selected}
        pressAdds
        onSelect={next => {
          // In the order of the entities; what is no longer among them stays until it is taken away where it is told.
          const there = new Set(entities.map(({ name }) => name))
          const others = chosen.filter(name => !there.has(name))
          const sotEntities = [...entities.map(({ name }) => name).filter(name => next.has(name)), ...others]
          change(view, 'serviceConfiguration', { sotEntities })
        }}
        loading={isPending}
        empty={<EmptyState icon={Table2} text={messages.empty.entities} />}
      />
    </div>
  )
}
