import { messages } from '@cadmus/model/messages'
import { visibleText } from '@cadmus/model/display'
import { useQuery } from '@tanstack/react-query'
import { Table2 } from 'lucide-react'
import { useMemo } from 'react'
import { manifestPathsQuery, type ManifestPaths } from '../../api/configurations.ts'
import { readFailure } from '../../api/read-failure.ts'
import { DataTable, type Column } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { UnreadState } from '../../ui/ErrorState.tsx'
import type { ConfigurationView } from './configuration-view.ts'
import { change, CheckSetting, Group, Part, ShownSetting } from './settings.tsx'
import styles from './Configuration.module.css'

const options = [
  [
    'applyMultiTenancy',
    'Apply Multi-Tenancy',
    'Every table gets a tenant_id, and every statement is limited to the tenant of its caller.',
  ],
  ['applyCustomField', 'Apply Custom Fields', 'Every table gets a JSON column for custom fields.'],
  ['applySot', 'Apply Source of Truth', 'Records every change of the chosen entities.'],
] as const

/** Shown only to organisations licensed for it. */
export function ServicePart({ view }: { view: ConfigurationView }) {
  const { serviceConfiguration } = view.draft.content.configurationBuild
  const locked = view.locked !== null
  return (
    <Part view={view} tab="service">
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
    </Part>
  )
}

type Entity = Pick<ManifestPaths['entities'][number], 'name' | 'path'>

const columns: readonly Column<Entity>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => visibleText(name), width: '40%' },
  {
    id: 'path',
    header: 'Path',
    mono: true,
    cell: ({ path }) => (path === '' ? <span className={styles['missing']}>There is no such entity.</span> : path),
  },
]

function Checklist({ view, chosen }: { view: ConfigurationView; chosen: readonly string[] }) {
  const read = useQuery(manifestPathsQuery(view.manifest.id))
  const readError = readFailure(read, 'The entities of the manifest could not be read.')
  const { data, isPending } = read
  const selected = useMemo(() => new Set(chosen), [chosen])
  const rows = useMemo(() => rowsOf(data?.entities ?? [], data ? chosen : []), [data, chosen])
  if (readError) return <UnreadState failure={readError} />
  return (
    <div className={styles['table']}>
      <DataTable
        label="Source of Truth Entities"
        columns={columns}
        rows={rows}
        rowId={({ name }) => name}
        rowName={({ name }) => name}
        selected={selected}
        checklist
        onSelect={next => {
          const sotEntities = rows.map(({ name }) => name).filter(name => next.has(name))
          change(view, 'serviceConfiguration', { sotEntities })
        }}
        loading={isPending}
        empty={<EmptyState icon={Table2} text={messages.empty.entities} />}
      />
    </div>
  )
}

/**
 * Chosen entities that no longer exist, so that they can be removed, then the existing ones in order, each name once.
 */
function rowsOf(entities: readonly Entity[], chosen: readonly string[]): Entity[] {
  const byName = new Map(entities.map(entity => [entity.name, entity]))
  const missing = chosen.filter(name => !byName.has(name)).map(name => ({ name, path: '' }))
  return [...missing, ...byName.values()]
}
