import type { Hosting } from '../api/instance-calls.ts'
import type { PackageItem } from '../api/packages.ts'

export type HostingState = {
  instance: string
  instanceUrl: string
  version: string
  /** As reported by the instance. */
  status: string
  /** Whether the last request to the instance failed. */
  isOutdated: boolean
  /** The version that serves requests; undefined if none does. */
  runningVersion: string | undefined
  /** Reason why the package cannot be started; false if it can, null if it is started or starting. */
  start: false | string | null
  hasExplorer: boolean
}

const startable = ['LOADED', 'UNLOADED', 'START_FAILED']

/** Instances that have the package, by their last responses. */
export function hostingStatesOf(
  item: Pick<PackageItem, 'name' | 'builds'>,
  hosting: readonly Hosting[],
): HostingState[] {
  return hosting.flatMap(({ name: instance, instanceUrl, packages = [], failure }) =>
    packages
      // A package of another organisation only reserves its name.
      .filter(one => one.name === item.name && !('taken' in one))
      .map(({ versions: [version = ''], status, runningVersion }): HostingState => {
        const build = item.builds.find(one => one.version === version)
        const isServing = status === 'STARTED' ? version : runningVersion
        return {
          instance,
          instanceUrl,
          version,
          status,
          isOutdated: failure !== null,
          runningVersion: isServing,
          start: startable.includes(status) ? build?.status !== 'SUCCESS' && notHere(version) : null,
          hasExplorer: isServing !== undefined && (build?.publishAs ?? 'PACKAGE') === 'PACKAGE',
        }
      }),
  )
}

const notHere = (version: string) => `The build of version ${version} was deleted. Upload another version.`

/** STARTED becomes 'Started', START_FAILED 'Start failed'. */
export function formatStatus(status: string): string {
  const text = status.toLowerCase().replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
