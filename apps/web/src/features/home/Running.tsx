import { visibleText } from '@cadmus/model/display'
import { messages } from '@cadmus/model/messages'
import { homeTexts } from '@cadmus/model/messages/home'
import { Package2 } from 'lucide-react'
import { messageOf } from '../../api/error.ts'
import { type Hosting, useHosting } from '../../api/instance-calls.ts'
import { type PackageItem, useFollowedBuilds, usePackages } from '../../api/packages.ts'
import { CommandButtons } from '../../commands/CommandButtons.tsx'
import { runCommand } from '../../commands/command.ts'
import type { AppContext } from '../../commands/context.ts'
import { DocumentLink } from '../../commands/DocumentLink.tsx'
import { commandById } from '../../commands/registry.ts'
import { hostingStatesOf } from '../../hosting/hosting-state.ts'
import { HostingFailures, RunState } from '../../hosting/RunState.tsx'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import styles from './Home.module.css'
import { HomeSection } from './HomeSection.tsx'

/** Maximum number of packages shown; the packages page has all. */
const maxShown = 8

/** The packages of the organisation and where they run. */
export function Running({ context }: { context: AppContext }) {
  const { data, error, isFetching, refetch } = usePackages({ filter: 'private', search: '' })
  const { title, empty } = homeTexts.running
  return (
    <HomeSection title={title} empty={data?.packages.length === 0 && empty}>
      {data ? (
        <Packages packages={data.packages} total={data.total} context={context} />
      ) : error ? (
        <ErrorState
          message={messageOf(error, messages.packages.failed.packages)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton lines={3} />
      )}
    </HomeSection>
  )
}

type PackagesProps = { packages: readonly PackageItem[]; total: number; context: AppContext }

/** Reads the instances, which is why it is not shown without packages. */
function Packages({ packages, total, context }: PackagesProps) {
  useFollowedBuilds(packages)
  const { hosting, hasNone, failure } = useHosting()
  const shown = deployedFirst(packages, hosting).slice(0, maxShown)
  const all = commandById('page.packages')
  return (
    <>
      <HostingFailures hosting={hosting} failure={failure} />
      {hasNone && <p className={styles['empty']}>{homeTexts.running.noInstances}</p>}
      <ul className={styles['list']}>
        {shown.map(item => (
          <PackageRow key={item.id} item={item} hosting={hosting} context={context} />
        ))}
      </ul>
      {all && (
        <Button variant="quiet" onClick={() => runCommand(all, context)}>
          {homeTexts.running.all(total - shown.length)}
        </Button>
      )}
    </>
  )
}

/** Packages that instances have come first; otherwise the order stays. */
function deployedFirst(packages: readonly PackageItem[], hosting: readonly Hosting[]): readonly PackageItem[] {
  const isDeployed = (item: PackageItem) => hostingStatesOf(item, hosting).length > 0
  return [...packages.filter(isDeployed), ...packages.filter(item => !isDeployed(item))]
}

type PackageRowProps = { item: PackageItem; hosting: readonly Hosting[]; context: AppContext }

function PackageRow({ item, hosting, context }: PackageRowProps) {
  const { name, manifestId: id, manifestName, manifestPath: path, isDefault, builds } = item
  const publishAgain = commandById('manifest.publishAgain')
  const isGone = id < 1
  return (
    <li className={styles['package']}>
      <div className={styles['row']}>
        <Package2 size={14} strokeWidth={1.75} aria-hidden />
        <span className={styles['name']}>
          {isGone ? (
            visibleText(name)
          ) : (
            <DocumentLink document={{ kind: 'manifest', id, name: manifestName, path }} label={`Package ${name}`}>
              {name}
            </DocumentLink>
          )}
        </span>
        <code className={styles['version']}>{visibleText(builds[0]?.version ?? '')}</code>
        {publishAgain && !isGone && (
          <CommandButtons
            look="words"
            commands={[publishAgain]}
            context={{
              ...context,
              target: { kind: 'manifest', id, name: manifestName, path, isDefault, parent: null },
            }}
          />
        )}
      </div>
      <div className={styles['state']}>
        <RunState item={item} hosting={hosting} readOnly={false} />
      </div>
    </li>
  )
}
