import { visibleText } from '@cadmus/model/display'
import { useHosting } from '../api/instance-calls.ts'
import { type PackageItem, usePackages } from '../api/packages.ts'
import { isAdministration } from '../api/scope.ts'
import styles from './Hosting.module.css'
import { HostingFailures, RunState } from './RunState.tsx'

/** Where the packages of a manifest run; nothing without packages. */
export function ManifestRuns({ id, name }: { id: number; name: string }) {
  const packages = usePackages({ manifestId: id }).data?.packages ?? []
  return packages.length === 0 ? null : <PackageRuns packages={packages} manifestName={name} />
}

/** Reads the instances, which is why it is not shown without packages. */
function PackageRuns({ packages, manifestName }: { packages: readonly PackageItem[]; manifestName: string }) {
  const { hosting, failure } = useHosting()
  return (
    <div className={styles['packages']}>
      <HostingFailures hosting={hosting} failure={failure} />
      {packages.map((item, at) => (
        <div key={item.id} className={styles['package']}>
          {item.name !== manifestName && <span className={styles['name']}>{visibleText(item.name)}</span>}
          <RunState item={item} hosting={hosting} readOnly={isAdministration()} hasKeys={at === 0} />
        </div>
      ))}
    </div>
  )
}
