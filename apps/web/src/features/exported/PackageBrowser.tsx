import { formatCount } from '@cadmus/model/display'
import { messages } from '@cadmus/model/messages'
import type { PackageFilter } from '@cadmus/model/package'
import { PackageOpen } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../api/error.ts'
import { usePackages, type PackageQuery } from '../../api/packages.ts'
import { isAdministration } from '../../api/scope.ts'
import { runCommand } from '../../commands/command.ts'
import type { AppContext } from '../../commands/context.ts'
import { commandById } from '../../commands/registry.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { PackageList } from './PackageList.tsx'
import styles from './Packages.module.css'

/** The package just built, from an address or an event: the only package shown until the user views all. */
export type JustBuilt = { manifestName: string } | { packageId: number; packageName: string }

export type PackageBrowserProps = {
  context: AppContext
  search?: string
  justBuilt?: JustBuilt | null
  onViewAll?: () => void
  dense?: boolean
}

/** Packages of the organisation, of predefined manifests, or only the package just built. */
export function PackageBrowser({
  context,
  search = '',
  justBuilt = null,
  onViewAll,
  dense = false,
}: PackageBrowserProps) {
  const [filter, setFilter] = useState<PackageFilter>('private')
  const { data, error, isFetching, isPlaceholderData, refetch } = usePackages(queryOf(justBuilt, filter, search))
  const packages = data?.packages.filter(({ id }) => !justBuilt || isOf(justBuilt, id)) ?? []
  const more = justBuilt ? 0 : (data?.total ?? 0) - packages.length
  return (
    <section aria-label="Exported packages" className={styles['browser']} data-dense={dense || undefined}>
      {justBuilt && packages.length > 0 ? (
        <div className={styles['banner']}>
          <Alert kind="info">
            {messages.packages.view.newPackage}{' '}
            <Button variant="quiet" className={styles['all']} onClick={onViewAll}>
              View all
            </Button>
          </Alert>
        </div>
      ) : justBuilt ? null : (
        <div className={styles['filter']}>
          <Switch
            label="Private Package"
            checked={filter === 'private'}
            onChange={checked => setFilter(checked ? 'private' : 'public')}
          />
        </div>
      )}
      {!data && error && (
        <ErrorState
          message={messageOf(error, messages.packages.failed.packages)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <Skeleton lines={4} rowHeight={dense ? 72 : 96} />}
      {data && packages.length === 0 && (
        <EmptyState
          icon={PackageOpen}
          text={emptyText(justBuilt, search)}
          action={
            justBuilt ? (
              <Button onClick={onViewAll}>View all</Button>
            ) : (
              search === '' && filter === 'private' && <FirstBuild context={context} />
            )
          }
        />
      )}
      {packages.length > 0 && (
        <div className={styles['list']} data-stale={isPlaceholderData || undefined}>
          <PackageList packages={packages} context={context} dense={dense} />
          {more > 0 && <p className={styles['made']}>{messages.packages.view.more(formatCount(more))}</p>}
        </div>
      )}
    </section>
  )
}

/** Button to build the first package. Administrators build from a manifest's menu instead. */
function FirstBuild({ context }: { context: AppContext }) {
  const build = commandById('toolbar.blueprint')
  if (isAdministration() || !build || build.disabled?.(context)) return null
  return (
    <Button icon={build.icon} onClick={() => runCommand(build, context)}>
      Build Package
    </Button>
  )
}

function emptyText(justBuilt: JustBuilt | null, search: string): string {
  if (justBuilt === null) return search === '' ? messages.packages.view.empty : 'Nothing found'
  const { ofNoManifest, deleted } = messages.packages.view
  return 'manifestName' in justBuilt ? ofNoManifest(justBuilt.manifestName) : deleted(justBuilt.packageName)
}

function queryOf(justBuilt: JustBuilt | null, filter: PackageFilter, search: string): PackageQuery {
  if (justBuilt === null) return { filter, search }
  return 'manifestName' in justBuilt ? { manifestName: justBuilt.manifestName } : { search: justBuilt.packageName }
}

function isOf(justBuilt: JustBuilt, id: number): boolean {
  return 'manifestName' in justBuilt || justBuilt.packageId === id
}
