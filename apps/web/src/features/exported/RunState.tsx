import { useState } from 'react'
import { visibleText } from '@cadmus/model/display'
import { messages } from '@cadmus/model/messages'
import { whyFailed } from '../../api/error.ts'
import { explorerUrl, type Hosting, openExplorer } from '../../api/instance-calls.ts'
import type { PackageItem } from '../../api/packages.ts'
import { outcomeKind, uploadWithConfirmation } from '../../commands/upload-package.ts'
import { Button } from '../../ui/Button.tsx'
import { RetryButton } from '../../ui/RetryButton.tsx'
import { notify } from '../../ui/notices.ts'
import styles from './Packages.module.css'

type HostingState = {
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

type RunStateProps = {
  item: PackageItem
  hosting: readonly Hosting[]
  /** Administrators see packages of other organisations read-only. */
  readOnly: boolean
}

export function RunState({ item, hosting, readOnly }: RunStateProps) {
  const states = hostingStatesOf(item, hosting)
  if (states.length > 0)
    return (
      <ul aria-label={`Where ${visibleText(item.name)} runs`} className={styles['runs']}>
        {states.map(state => (
          <Run key={state.instanceUrl} name={item.name} state={state} readOnly={readOnly} />
        ))}
      </ul>
    )
  if (hosting.length === 0 || hosting.some(({ failure }) => failure !== null)) return null
  const isReading = hosting.some(({ packages }) => packages === undefined)
  return <p className={styles['made']}>{isReading ? messages.packages.view.reading : messages.packages.view.nowhere}</p>
}

type RunProps = { name: string; state: HostingState; readOnly: boolean }

function Run({ name, state, readOnly }: RunProps) {
  const [isStarting, setIsStarting] = useState(false)
  const { instance, instanceUrl, version, status, isOutdated, runningVersion, start, hasExplorer } = state

  async function run() {
    setIsStarting(true)
    try {
      const uploaded = await uploadWithConfirmation({ instanceUrl }, { name, version, state: 'STARTED' })
      notify(outcomeKind(uploaded), uploaded.message, openExplorer(instanceUrl, name))
    } catch (error) {
      notify('error', messages.packages.failed.start(whyFailed(error)))
    } finally {
      setIsStarting(false)
    }
  }

  return (
    <li className={styles['run']}>
      <span className={styles['state']} data-status={isStarting ? 'STARTING' : isOutdated ? undefined : status}>
        {isOutdated && !isStarting && 'Last seen: '}
        <strong>{formatStatus(isStarting ? 'STARTING' : status)}</strong> on {visibleText(instance)}{' '}
        <code>{visibleText(version)}</code>
        {runningVersion !== undefined && runningVersion !== version && (
          <>
            , <code>{visibleText(runningVersion)}</code> serves requests
          </>
        )}
      </span>
      {start !== null && !readOnly && (
        <Button busy={isStarting} disabled={start} onClick={() => void run()} aria-label={`Start on ${instance}`}>
          Start
        </Button>
      )}
      {hasExplorer && (
        <a href={explorerUrl(instanceUrl, name)} target="_blank" rel="noopener noreferrer" className="link">
          API explorer
        </a>
      )}
    </li>
  )
}

/** Unreachable instances, once for all packages. */
export function HostingFailures({ hosting }: { hosting: readonly Hosting[] }) {
  return hosting.map(({ name, instanceUrl, failure }) =>
    failure === null ? null : (
      <p key={instanceUrl} role="alert" className={styles['unread']}>
        <span>{messages.packages.view.unknownThere(name, failure.message)}</span>
        <RetryButton busy={failure.busy} retry={failure.retry} aria-label={`Retry: ${name}`} />
      </p>
    ),
  )
}
