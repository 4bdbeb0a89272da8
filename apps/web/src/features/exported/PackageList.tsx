import { Package2 } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { formatCount, visibleText } from '@cadmus/model/display'
import { messages } from '@cadmus/model/messages'
import { type Hosting, useHosting } from '../../api/instance-calls.ts'
import { type PackageBuild, type PackageItem, useFollowedBuilds } from '../../api/packages.ts'
import { isAdministration } from '../../api/scope.ts'
import { CommandButtons } from '../../commands/CommandButtons.tsx'
import { type Command, runCommand } from '../../commands/command.ts'
import type { AppContext } from '../../commands/context.ts'
import { entriesOf } from '../../commands/entries.ts'
import { shortcutOf } from '../../commands/keys.ts'
import { commandsAt } from '../../commands/registry.ts'
import { useCommands } from '../../commands/use-commands.ts'
import { HostingFailures, RunState } from '../../hosting/RunState.tsx'
import { Alert } from '../../ui/Alert.tsx'
import { FilterSelect } from '../../ui/Combobox.tsx'
import { ContextMenu } from '../../ui/ContextMenu.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Toolbar } from '../../ui/Toolbar.tsx'
import { minuteOf } from '../../ui/timestamp.ts'
import styles from './Packages.module.css'
import { cardAfter, type PackageVersion, shownVersion, versionLabel } from './versions.ts'

/** Progress of a build, the reason for its failure, or its author and time. */
function BuildState({ build }: { build: PackageBuild }) {
  const { status, reason, publishAs, size, userName, askedAt, endedAt } = build
  if (status === 'PROCESSING') return <ProgressBar label={messages.packages.view.loading} done={null} />
  if (status === 'FAILED') return <Alert>{reason === '' ? messages.packages.buildFailed : reason}</Alert>
  const time = minuteOf(endedAt === '' ? askedAt : endedAt)
  return (
    <p className={styles['made']}>
      {kinds[publishAs]} {time} by {visibleText(userName)}, {`${formatCount(Math.ceil(size / 1000))}\u00a0kB`}
    </p>
  )
}

const kinds = {
  PACKAGE: 'Built',
  DB_STRUCTURE: 'Database schema, built',
  ENTITY_GLOOP_MODEL: 'Data models, built',
} as const

// Custom grid: cards handle keys like rows.
/* oxlint-disable jsx-a11y/no-noninteractive-element-to-interactive-role */

type PackageListProps = {
  packages: readonly PackageItem[]
  context: AppContext
  /** Single column without frames, for the sidebar. */
  dense: boolean
}

/** Cards with arrow-key navigation and a context menu. The last focused card determines the palette commands. */
export function PackageList({ packages, context, dense }: PackageListProps) {
  const list = useRef<HTMLTableElement>(null)
  const [focusedId, setFocusedId] = useState<number | null>(null)
  const [versions, setVersions] = useState<ReadonlyMap<number, string>>(new Map())
  const cards = packages.flatMap(item => shownVersion(item, versions.get(item.id)) ?? [])
  const at = Math.max(
    0,
    cards.findIndex(card => card.package.id === focusedId),
  )
  useFollowedBuilds(packages)
  const { hosting, failure } = useHosting()
  useOffers(cards[at] ?? null, context)
  useRestoredFocus(
    list,
    cards.map(card => card.package.id),
    focusedId,
  )

  function key(event: KeyboardEvent<HTMLElement>, index: number) {
    const card = cards[index]
    if (!card || event.target !== event.currentTarget) return
    const next = cardAfter(event.key, index, cards.length)
    const shortcut = shortcutOf(event)
    const command = commandsAt('package').find(one => one.shortcut === shortcut)
    if (next === null && !command) return
    event.preventDefault()
    if (next !== null) cardsIn(list.current)[next]?.focus()
    else if (command) runCommand(command, contextOf(context, card))
  }

  return (
    <>
      <HostingFailures hosting={hosting} failure={failure} />
      <ContextMenu
        render={
          <table
            ref={list}
            role="grid"
            aria-label="Packages"
            aria-rowcount={cards.length}
            className={dense ? styles['rows'] : styles['cards']}
          >
            <tbody>
              {cards.map((card, index) => (
                <PackageCard
                  key={card.package.id}
                  shown={card}
                  hosting={hosting}
                  context={context}
                  position={index + 1}
                  focusable={index === at}
                  onFocus={() => setFocusedId(card.package.id)}
                  onKey={event => key(event, index)}
                  onVersion={version => setVersions(new Map(versions).set(card.package.id, version))}
                />
              ))}
            </tbody>
          </table>
        }
        entriesFor={id => {
          const card = cards.find(one => String(one.package.id) === id)
          return card ? entriesOf(commandsAt('package'), contextOf(context, card)) : []
        }}
      />
    </>
  )
}

function contextOf(context: AppContext, shown: PackageVersion): AppContext {
  return { ...context, target: { kind: 'package', ...shown } }
}

/** Adds the card's commands to the palette, without their shortcuts: those belong to the card. */
function useOffers(shown: PackageVersion | null, context: AppContext): void {
  const commands = useMemo(() => commandsAt('package').map(withoutKey), [])
  const { package: item, build } = shown ?? {}
  const offered = useMemo(
    () => (item && build ? contextOf(context, { package: item, build }) : null),
    [context, item, build],
  )
  useCommands(commands, offered)
}

function withoutKey({ shortcut: _, ...command }: Command<AppContext>): Command<AppContext> {
  return command
}

/** Moves the focus to the next card when the focused one is removed. */
function useRestoredFocus(list: RefObject<HTMLElement | null>, ids: readonly number[], focusedId: number | null): void {
  const focusedAt = useRef(-1)
  const at = focusedId === null ? -1 : ids.indexOf(focusedId)
  useLayoutEffect(() => {
    const isLost = at < 0 && focusedAt.current >= 0 && document.activeElement === document.body
    if (at >= 0) focusedAt.current = at
    else if (isLost) cardsIn(list.current)[Math.min(focusedAt.current, ids.length - 1)]?.focus()
  }, [list, at, ids.length])
}

function cardsIn(list: HTMLElement | null): HTMLElement[] {
  return list ? [...list.querySelectorAll<HTMLElement>('tr')] : []
}

type PackageCardProps = {
  shown: PackageVersion
  hosting: readonly Hosting[]
  context: AppContext
  /** 1-based. */
  position: number
  /** Whether the card is in the tab order. */
  focusable: boolean
  onFocus: () => void
  onKey: (event: KeyboardEvent<HTMLElement>) => void
  onVersion: (version: string) => void
}

function PackageCard({ shown, hosting, context, position, focusable, onFocus, onKey, onVersion }: PackageCardProps) {
  const id = useId()
  const { package: item, build } = shown
  const isGone = item.manifestId === -1
  return (
    <tr
      data-row-id={item.id}
      aria-labelledby={id}
      aria-rowindex={position}
      aria-busy={build.status === 'PROCESSING'}
      tabIndex={focusable ? 0 : -1}
      className={styles['row']}
      onFocus={onFocus}
      onKeyDown={onKey}
    >
      <td className={styles['card']}>
        <header className={styles['name']}>
          <Package2 size={16} aria-hidden />
          <h2 id={id}>{visibleText(item.name)}</h2>
          {item.isDefault && <span className={styles['chip']}>Predefined</span>}
        </header>
        <p className={styles['path']} title={visibleText(item.manifestPath)}>
          {visibleText(item.manifestPath)}
          {isGone && <span> (deleted)</span>}
        </p>
        <div className={styles['tools']}>
          <FilterSelect
            label="Version"
            hideLabel
            mono
            options={item.builds.map(one => ({ value: one.version, label: versionLabel(one) }))}
            value={build.version}
            onChange={onVersion}
          />
          <Toolbar label={`Actions for ${visibleText(item.name)}`}>
            <CommandButtons
              commands={commandsAt('card')}
              context={{ ...context, target: { kind: 'package', ...shown } }}
            />
          </Toolbar>
        </div>
        <BuildState build={build} />
        <div className={styles['runs']}>
          <RunState item={item} hosting={hosting} readOnly={isAdministration()} />
        </div>
      </td>
    </tr>
  )
}
