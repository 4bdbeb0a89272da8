import { ExternalLink, Play } from 'lucide-react'
import { useMemo, useState } from 'react'
import { visibleText } from '@cadmus/model/display'
import { messages } from '@cadmus/model/messages'
import { homeTexts } from '@cadmus/model/messages/home'
import { whyFailed } from '../api/error.ts'
import { explorerUrl, type Hosting, openExplorer } from '../api/instance-calls.ts'
import type { PackageItem } from '../api/packages.ts'
import type { Command } from '../commands/command.ts'
import { outcomeKind, uploadWithConfirmation } from '../commands/upload-package.ts'
import { useCommands } from '../commands/use-commands.ts'
import { Button } from '../ui/Button.tsx'
import type { ReadFailure } from '../ui/Field.tsx'
import { RetryButton } from '../ui/RetryButton.tsx'
import { notify } from '../ui/notices.ts'
import { tip } from '../ui/Tooltip.tsx'
import { useLatest } from '../ui/use-latest.ts'
import { formatStatus, type HostingState, hostingStatesOf } from './hosting-state.ts'
import styles from './Hosting.module.css'

type RunStateProps = {
  item: PackageItem
  hosting: readonly Hosting[]
  /** Administrators see packages of other organisations read-only. */
  readOnly: boolean
  /** Whether keys start it, or open its explorer, where it was first uploaded. */
  hasKeys?: boolean
}

type RunContext = { state: HostingState; readOnly: boolean; start: () => void; explore: () => void }

const runCommands: readonly Command<RunContext>[] = [
  {
    id: 'run.start',
    label: 'Start package',
    icon: Play,
    shortcut: 'alt+a',
    visible: ({ state, readOnly }) => state.start !== null && !readOnly,
    disabled: ({ state }) => state.start ?? false,
    run: ({ start }) => start(),
  },
  {
    id: 'run.explorer',
    label: 'API explorer',
    icon: ExternalLink,
    shortcut: 'alt+a',
    visible: ({ state }) => state.start === null && state.hasExplorer,
    run: ({ explore }) => explore(),
  },
]

/** Where a package runs, with Start and a link to its explorer; nothing if there are no hosted instances. */
export function RunState({ item, hosting, readOnly, hasKeys = false }: RunStateProps) {
  const states = hostingStatesOf(item, hosting)
  if (states.length > 0)
    return (
      <ul aria-label={`Where ${visibleText(item.name)} runs`} className={styles['runs']}>
        {states.map((state, at) => (
          <Run
            key={state.instanceUrl}
            name={item.name}
            state={state}
            readOnly={readOnly}
            hasKeys={hasKeys && at === 0}
          />
        ))}
      </ul>
    )
  if (hosting.length === 0) return null
  return <p className={styles['none']}>{textWithout(hosting)}</p>
}

/** Stated for a package that no instance has reported. */
function textWithout(hosting: readonly Hosting[]): string {
  if (hosting.some(({ failure }) => failure !== null)) return homeTexts.running.unknown
  const { reading, nowhere } = messages.packages.view
  return hosting.some(({ packages }) => packages === undefined) ? reading : nowhere
}

type RunProps = { name: string; state: HostingState; readOnly: boolean; hasKeys: boolean }

function Run({ name, state, readOnly, hasKeys }: RunProps) {
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

  const latest = useLatest({ start: () => void run(), explore: () => openExplorer(instanceUrl, name).run() })
  const isQuiet = !hasKeys || isStarting
  const context = useMemo<RunContext | null>(
    () => (isQuiet ? null : { state, readOnly, ...latest }),
    [isQuiet, state, readOnly, latest],
  )
  useCommands(runCommands, context)

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
        <Button
          busy={isStarting}
          disabled={start}
          onClick={() => void run()}
          aria-label={`Start on ${instance}`}
          {...(hasKeys ? tip(`Start on ${instance}`, 'alt+a') : {})}
        >
          Start
        </Button>
      )}
      {hasExplorer && (
        <a
          href={explorerUrl(instanceUrl, name)}
          target="_blank"
          rel="noopener noreferrer"
          className="link"
          {...(hasKeys && start === null ? tip('API explorer', 'alt+a') : {})}
        >
          API explorer
        </a>
      )}
    </li>
  )
}

type HostingFailuresProps = { hosting: readonly Hosting[]; failure: ReadFailure | null }

/** Instances that could not be read, or their list, once for all packages. */
export function HostingFailures({ hosting, failure }: HostingFailuresProps) {
  const list = failure === null ? [] : [{ name: 'the instances', instanceUrl: '', failure }]
  return [...hosting, ...list].map(one =>
    one.failure === null ? null : (
      <p key={one.instanceUrl} role="alert" className={styles['unread']}>
        <span>{messages.packages.view.unknownThere(one.name, one.failure.message)}</span>
        <RetryButton busy={one.failure.busy} retry={one.failure.retry} aria-label={`Retry: ${one.name}`} />
      </p>
    ),
  )
}
