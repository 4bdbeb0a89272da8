import type { PackageItem } from '../../api/packages.ts'
import type { Hosting } from '../../api/instance-calls.ts'

/** That a hosted instance has a package: in which version and state, and what can be done about it. */
export type Standing = {
  instance: string
  instanceUrl: string
  version: string
  /** As the instance has it. */
  status: string
  /** Whether the instance did not answer since. */
  isOutdated: boolean
  /** What answers callers there; undefined: nothing does. */
  runningVersion: string | undefined
  /** Why it cannot be started; false where it can, null where it is started or about to be. */
  start: false | string | null
  hasExplorer: boolean
}

const startable = ['LOADED', 'UNLOADED', 'START_FAILED']

/** Where a package is, of what the instances answered so far. */
export function standingsOf(item: Pick<PackageItem, 'name' | 'builds'>, hosting: readonly Hosting[]): Standing[] {
  return hosting.flatMap(({ name: instance, instanceUrl, packages = [], failure }) =>
    packages
      // What is another organisation's says no more than that its name is taken.
      .filter(one => one.name === item.name && !('taken' in one))
      .map(({ versions: [version = ''], status, runningVersion }): Standing => {
        const build = item.builds.find(one => one.version === version)
        const answering = status === 'STARTED' ? version : runningVersion
        return {
          instance,
          instanceUrl,
          version,
          status,
          isOutdated: failure !== null,
          runningVersion: answering,
          start: startable.includes(status) ? build?.status !== 'SUCCESS' && notHere(version) : null,
          hasExplorer: answering !== undefined && (build?.publishAs ?? 'PACKAGE') === 'PACKAGE',
        }
      }),
  )
}

const notHere = (version: string) => `Version ${version} is no longer among the builds: upload another one.`

/** STARTED as Started, START_FAILED as Start failed. */
export function statusWords(status: string): string {
  const words = status.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
